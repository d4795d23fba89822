// swift-tools-version: 6.2
import PackageDescription

// A client of a language model that streams its answer as server-sent events.

let package = Package(
    name: "language-model",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
        .executableTarget(
            name: "ask",
            dependencies: [
                .product(name: "Airframe", package: "airframe"),
                .product(name: "AirframeMock", package: "airframe"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
