// swift-tools-version: 6.2
import PackageDescription

// A client of an API as a library, its tests on the mock, and a program. Docs/Guides/Tutorial.md builds it step by
// step.

let package = Package(
    name: "users",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
        .executableTarget(
            name: "show",
            dependencies: ["Users", .product(name: "Airframe", package: "airframe")]
        ),
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
    ]
)
