// swift-tools-version: 6.2
import PackageDescription

// A client of an API as a library, and its tests on the mock. Docs/Guides/Tutorial.md builds it step by step.

let package = Package(
    name: "users",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
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
