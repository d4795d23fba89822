// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no user of Airframe ever resolves or builds what the test server needs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Hangar",
    products: [
        .executable(name: "hangar", targets: ["hangar"])
    ],
    dependencies: [
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1")
    ],
    targets: [
        .systemLibrary(
            name: "CHangar",
            providers: [.apt(["zlib1g-dev", "libbrotli-dev", "libzstd-dev", "libssl-dev"])]
        ),
        .executableTarget(
            name: "hangar",
            dependencies: [
                "CHangar",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
