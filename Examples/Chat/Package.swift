// swift-tools-version: 6.2
import PackageDescription

// A chat over a WebSocket that reconnects.

let package = Package(
    name: "chat",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
        .executableTarget(
            name: "chat",
            dependencies: [
                .product(name: "Airframe", package: "airframe"),
                .product(name: "AirframeMock", package: "airframe"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
