// swift-tools-version: 6.2
import PackageDescription

// One set of sources for Apple's platforms and Linux: `HTTPClient` exports Alamofire there and Airframe here, and
// nothing else names either of them. See Docs/Guides/Sharing.md.

#if os(Linux)
    let clients: [Package.Dependency] = [.package(name: "airframe", path: "../..")]
    let products: [Target.Dependency] = [
        .product(name: "Airframe", package: "airframe"),
        .product(name: "AirframeAppleNames", package: "airframe"),
    ]
#else
    let clients: [Package.Dependency] = [
        .package(url: "https://github.com/Alamofire/Alamofire", from: "5.12.0")
    ]
    let products: [Target.Dependency] = [.product(name: "Alamofire", package: "Alamofire")]
#endif

let package = Package(
    name: "Sharing",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [.library(name: "People", targets: ["People"])],
    dependencies: clients,
    targets: [
        .target(name: "HTTPClient", dependencies: products),
        .target(name: "People", dependencies: ["HTTPClient"]),
        .executableTarget(name: "list-people", dependencies: ["People"]),
    ],
    swiftLanguageModes: [.v6]
)
