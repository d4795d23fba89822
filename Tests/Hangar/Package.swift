// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hangar",
    products: [.executable(name: "hangar", targets: ["hangar"])],
    dependencies: [.package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")],
    targets: [.executableTarget(name: "hangar", dependencies: [.product(name: "FlyingFox", package: "FlyingFox")])]
)
