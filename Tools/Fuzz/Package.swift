// swift-tools-version: 6.2
import PackageDescription

// The fuzz targets. A separate package, which builds the parsers with libFuzzer's instrumentation. Three links lead to
// the sources, because a target's folder must lie within its package.

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let instruments: [SwiftSetting] = [.unsafeFlags(["-sanitize=fuzzer"])]

let package = Package(
    name: "airframe-fuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", from: "1.4.0")],
    targets: [
        .target(
            name: "AirframeRedaction", dependencies: [httpTypes], path: "Modules/Redaction", exclude: ["README.md"]),
        .target(
            name: "AirframeTransport",
            dependencies: ["AirframeRedaction", httpTypes],
            path: "Modules/Transport",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeWire",
            dependencies: ["AirframeTransport", httpTypes],
            path: "Modules/Wire",
            exclude: ["README.md"]
        ),
        .systemLibrary(name: "CNGHTTP2", path: "Transports/Socket/CNGHTTP2", pkgConfig: "libnghttp2"),
        // HTTP/1.1 without the streams that drive it, and sessions of HTTP/2 without the connections that own them.
        .target(
            name: "AirframeSocket",
            dependencies: ["AirframeTransport", "AirframeWire", "CNGHTTP2", httpTypes],
            path: "Transports/Socket",
            exclude: [
                "HTTP1/HTTP1RequestOutput.swift", "HTTP1/HTTP1Stream.swift", "HTTP1/HTTP1Stream+Reading.swift",
                "HTTP1/HTTP1Stream+Writing.swift",
            ],
            sources: [
                "HTTP1", "HTTP2/Session", "Reactor/ReadySlot.swift",
                "Stream/RequestHead.swift", "Stream/RequestContentLength.swift",
                "Stream/RequestContentLength+Rules.swift",
                // The destination of a head, and its types.
                "Exchange/RequestAddress.swift", "Exchange/RequestRoute.swift", "Exchange/VersionOffer.swift",
                "Names/Destination.swift", "Pool/PoolKey.swift",
            ],
            swiftSettings: instruments
        ),
        .target(
            name: "Transcripts",
            dependencies: ["AirframeSocket", "AirframeTransport", httpTypes],
            path: "Tests/SocketTests/HTTP1/Transcript"
        ),
        .systemLibrary(name: "CNetlink", path: "Modules/Reachability/CNetlink"),
        .target(
            name: "AirframeReachability",
            dependencies: ["CNetlink"],
            path: "Modules/Reachability",
            exclude: ["CNetlink", "README.md"],
            swiftSettings: instruments
        ),
        .target(name: "DBusBuilder", path: "Tests/ReachabilityTests/Support/DBus"),
        // Only the parsers: the rest of the module needs the other modules.
        .target(
            name: "AirframeSerialization",
            dependencies: ["AirframeJSON"],
            path: "Modules/Serialization",
            sources: [
                "Serializers/DataDecoder.swift", "Streams/ByteStreamParser.swift", "Streams/JSONArrayFraming.swift",
                "Streams/JSONFraming.swift", "Streams/JSONScanner.swift", "Streams/LineParser.swift",
                "Streams/LineSplitter.swift", "Streams/ServerSentEvent.swift", "Streams/ServerSentEventParser.swift",
            ],
            swiftSettings: instruments
        ),
        .target(
            name: "AirframeJSON",
            path: "Modules/JSON",
            exclude: ["README.md"],
            swiftSettings: instruments
        ),
        .target(
            name: "AirframeLayers",
            dependencies: ["AirframeTransport", httpTypes],
            path: "Modules/Layers",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeCore",
            dependencies: ["AirframeTransport", "AirframeLayers", httpTypes],
            path: "Modules/Core",
            exclude: ["README.md"]
        ),
        .systemLibrary(name: "COpenSSL", path: "Modules/OpenSSL/COpenSSL", pkgConfig: "openssl"),
        .target(
            name: "AirframeOpenSSL",
            dependencies: ["AirframeTransport", "COpenSSL"],
            path: "Modules/OpenSSL",
            exclude: ["COpenSSL", "README.md"],
            swiftSettings: instruments
        ),
        .target(
            name: "AirframeSecurity",
            dependencies: ["AirframeTransport", "AirframeCore", "AirframeOpenSSL", "COpenSSL", httpTypes],
            path: "Modules/Security",
            exclude: ["README.md"],
            swiftSettings: instruments
        ),
        .target(
            name: "AirframeWebSocketProtocol",
            path: "Modules/WebSocketProtocol",
            exclude: ["README.md"],
            swiftSettings: instruments
        ),
        .systemLibrary(name: "CZlib", path: "Modules/Compression/CZlib", pkgConfig: "zlib"),
        // Only the compression: the rest of the module needs the other modules.
        .target(
            name: "AirframeWebSocket",
            dependencies: ["AirframeWebSocketProtocol", "CZlib"],
            path: "Modules/WebSocket",
            sources: ["Deflate/MessageDeflater.swift", "Deflate/MessageInflater.swift"],
            swiftSettings: instruments
        ),
        .systemLibrary(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AirframeCore", "AirframeJSON", "AirframeReachability", "AirframeSecurity", "AirframeSerialization",
                "AirframeSocket", "AirframeTransport", "AirframeWebSocket", "AirframeWebSocketProtocol", "DBusBuilder",
                "Transcripts", "CFuzzer", httpTypes,
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
