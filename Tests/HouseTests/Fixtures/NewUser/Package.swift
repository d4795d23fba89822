// swift-tools-version: 6.2
import PackageDescription

// A new user's package: a client of an API, and its tests on the mock. It takes none of Airframe's traits. The client
// of the tutorial is built with it. NewUserTests builds and runs both.

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
        // Links to Examples/Client.
        .target(
            name: "Users",
            dependencies: [
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeEncoding", package: "airframe"),
                .product(name: "AirframeSerialization", package: "airframe"),
            ]
        ),
        .testTarget(
            name: "UsersTests",
            dependencies: ["Users", .product(name: "AirframeMock", package: "airframe")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
