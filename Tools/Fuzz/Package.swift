// swift-tools-version: 6.2
import PackageDescription

// The fuzz targets, apart from the house: the parsers are built anew, with the instruments that libFuzzer needs. Three
// links lead to the sources, because a target's folder must lie within its package.

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let instruments: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]

let package = Package(
    name: "airframe-fuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.4.0")],
    targets: [
        .target(
            name: "AirframeTransport", dependencies: [httpTypes], path: "Modules/Transport", exclude: ["README.md"]),
        .target(
            name: "AirframeSocket",
            dependencies: ["AirframeTransport", httpTypes],
            path: "Transports/Socket/HTTP1",
            swiftSettings: instruments
        ),
        .target(
            name: "Transcripts",
            dependencies: ["AirframeSocket", "AirframeTransport", httpTypes],
            path: "Tests/HTTP1Tests/Transcript"
        ),
        .systemLibrary(name: "CNetlink", path: "Modules/Reachability/CNetlink"),
        .target(
            name: "AirframeReachability",
            dependencies: ["CNetlink"],
            path: "Modules/Reachability",
            exclude: ["CNetlink", "README.md"],
            swiftSettings: instruments
        ),
        .target(name: "DBusBuilder", path: "Tests/ReachabilityTests/DBus"),
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AirframeReachability", "AirframeSocket", "AirframeTransport", "DBusBuilder", "Transcripts", "CFuzzer",
                httpTypes,
            ],
            swiftSettings: instruments,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("InternalImportsByDefault"),
        ]
}
