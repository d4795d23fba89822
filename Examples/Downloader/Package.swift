// swift-tools-version: 6.2
import PackageDescription

// Downloads a file with a pinned key, and resumes where an earlier run stopped.

let package = Package(
    name: "downloader",
    dependencies: [.package(name: "airframe", path: "../..")],
    targets: [
        .executableTarget(
            name: "download",
            dependencies: [.product(name: "Airframe", package: "airframe")]
        )
    ],
    swiftLanguageModes: [.v6]
)
