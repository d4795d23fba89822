// swift-tools-version: 6.2
import PackageDescription

// A new user's package: a client of an API, and its tests on the mock. It takes none of Airframe's traits. NewUserTests
// builds and runs it.

let package = Package(
    name: "shop",
    dependencies: [.package(name: "airframe", path: "../../../..", traits: [])],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeSerialization", package: "airframe"),
            ]
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Shop", .product(name: "AirframeMock", package: "airframe")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
