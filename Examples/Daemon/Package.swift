// swift-tools-version: 6.2
import PackageDescription

// A daemon that reports its state once a minute, and waits for a network where there is none.

let package = Package(
    name: "daemon",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
        .executableTarget(
            name: "reporter",
            dependencies: [.product(name: "Airframe", package: "airframe")]
        )
    ],
    swiftLanguageModes: [.v6]
)
