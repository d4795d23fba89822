// swift-tools-version: 6.2
import PackageDescription

// A package of its own: it depends on the clients that Airframe is measured against, which no user of Airframe needs.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Benchmarks",
    products: [
        .executable(name: "bench-airframe", targets: ["bench-airframe"]),
        .executable(name: "bench-start", targets: ["bench-start"]),
        .executable(name: "bench-endurance", targets: ["bench-endurance"]),
        .executable(name: "bench-codecs", targets: ["bench-codecs"]),
        .executable(name: "bench-cookies", targets: ["bench-cookies"]),
        .executable(name: "bench-cache", targets: ["bench-cache"]),
        .executable(name: "bench-logging", targets: ["bench-logging"]),
        .executable(name: "bench-websocket", targets: ["bench-websocket"]),
        .executable(name: "bench-ahc", targets: ["bench-ahc"]),
        .executable(name: "bench-urlsession", targets: ["bench-urlsession"]),
        .executable(name: "bench-libcurl", targets: ["bench-libcurl"]),
        .executable(name: "bench-sockets", targets: ["bench-sockets"]),
        .executable(name: "bench-holder", targets: ["bench-holder"]),
        .library(name: "CountCalls", type: .dynamic, targets: ["CountCalls"]),
        .library(name: "UnderValgrind", type: .dynamic, targets: ["UnderValgrind"]),
    ],
    dependencies: [
        .package(name: "airframe", path: "../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(name: "CBenchmark"),
        .target(name: "Benchmark", dependencies: ["CBenchmark"], swiftSettings: settings),
        .executableTarget(
            name: "bench-airframe",
            dependencies: [
                "Benchmark",
                .product(name: "Airframe", package: "airframe"),
                .product(name: "AirframeCurl", package: "airframe"),
                .product(name: "AirframeJSON", package: "airframe"),
                .product(name: "AirframeSocket", package: "airframe"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-start",
            dependencies: [
                "Benchmark",
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeSocket", package: "airframe"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-endurance",
            dependencies: [
                "Benchmark",
                .product(name: "AirframeTransport", package: "airframe"),
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeSerialization", package: "airframe"),
                .product(name: "AirframeSocket", package: "airframe"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-codecs",
            dependencies: [
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeEncoding", package: "airframe"),
                .product(name: "AirframeJSON", package: "airframe"),
                .product(name: "AirframeSerialization", package: "airframe"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-cookies",
            dependencies: [
                .product(name: "AirframeCache", package: "airframe"),
                .product(name: "AirframeCookies", package: "airframe"),
                .product(name: "AirframeLayers", package: "airframe"),
                .product(name: "AirframeTransport", package: "airframe"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-cache",
            dependencies: [
                "Benchmark",
                .product(name: "Airframe", package: "airframe"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-logging",
            dependencies: [
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeLogging", package: "airframe"),
                .product(name: "AirframeSerialization", package: "airframe"),
                .product(name: "AirframeTransport", package: "airframe"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-websocket",
            dependencies: [
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "AirframeSocket", package: "airframe"),
                .product(name: "AirframeTransport", package: "airframe"),
                .product(name: "AirframeWebSocket", package: "airframe"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "bench-ahc",
            dependencies: [
                "Benchmark",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "bench-urlsession", dependencies: ["Benchmark"], swiftSettings: settings),
        .executableTarget(
            name: "bench-libcurl",
            dependencies: ["CBenchmark"],
            linkerSettings: [.linkedLibrary("curl")]
        ),
        .executableTarget(
            name: "bench-sockets",
            dependencies: ["CBenchmark"],
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]
        ),
        .executableTarget(name: "bench-holder"),
        .target(name: "CountCalls"),
        .target(name: "UnderValgrind"),
    ],
    swiftLanguageModes: [.v6]
)
