// swift-tools-version: 6.2
import PackageDescription

// A row of the house: one module, one product, one folder, and the modules that it may import.
// Docs/Architecture.md explains the arrows; Tests/HouseTests holds them.

/// What users import: each module is a separate product.
let libraries = [
    "Airframe", "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression", "AirframeAuthentication",
    "AirframeEncoding", "AirframeSerialization", "AirframeJSON", "AirframeSecurity", "AirframeReachability",
    "AirframeConnectivity", "AirframeCurl", "AirframeSocket", "AirframeHAR", "AirframeLogging", "AirframeMock",
    "AirframeConformance", "AirframeMetrics", "AirframeTracing", "AirframeCookies", "AirframeAppleNames",
    "AirframeLegacy", "AirframeCache", "AirframeRedis", "AirframeWebSocket", "AirframeOAuth", "AirframeFoundation",
    "AirframeConfiguration", "AirframeTransfers", "AirframeInspection",
]

/// Dependencies that most tests share, those of tests over both engines, of tests of sessions, and of both.
let common: [Target.Dependency] = ["AirframeTransport", "AirframeTestSupport", .httpTypes]
let engines: [Target.Dependency] = common + ["AirframeCurl", "AirframeSocket", "AirframeConformance"]
let sessions: [Target.Dependency] = common + ["AirframeCore", "AirframeSerialization", "AirframeMock"]
let everything = engines + ["AirframeCore", "AirframeSerialization", "AirframeMock"]

/// The modules of the house, the C libraries beneath them, and the tools.
let modules: [Target] = [
    .module("AirframeRedaction", needs: [.httpTypes]),
    .module("AirframeTransport", needs: ["AirframeRedaction", .httpTypes]),
    .module("AirframeLayers", needs: ["AirframeTransport", .httpTypes]),
    .module("AirframeCore", needs: ["AirframeTransport", "AirframeLayers", .httpTypes]),
    .system("CZlib", in: "Modules/Compression", pkgConfig: "zlib", package: "zlib1g-dev"),
    .system("CBrotli", in: "Modules/Compression", pkgConfig: "libbrotlienc", package: "libbrotli-dev"),
    .system("CZstd", in: "Modules/Compression", pkgConfig: "libzstd", package: "libzstd-dev"),
    .module(
        "AirframeCompression",
        needs: ["AirframeTransport", "CZlib", "CBrotli", "CZstd", .httpTypes],
        excluding: ["CZlib", "CBrotli", "CZstd"]
    ),
    .module("AirframeAuthentication", needs: ["AirframeTransport", "COpenSSL", .httpTypes]),
    .module("AirframeOAuth", needs: ["AirframeAuthentication", "AirframeCore", "AirframeTransport", .httpTypes]),
    .system("CPSL", in: "Modules/Cookies", pkgConfig: "libpsl", package: "libpsl-dev"),
    .module(
        "AirframeCookies", needs: ["AirframeTransport", "AirframeLayers", "CPSL", .httpTypes], excluding: ["CPSL"]),
    .module("AirframeCache", needs: ["AirframeTransport", "AirframeLayers", .httpTypes]),
    // Without pkgConfig: its flags have one that SwiftPM warns about.
    .system("CHiredis", in: "Modules/Redis", package: "libhiredis-dev"),
    .module(
        "AirframeRedis",
        needs: ["AirframeTransport", "AirframeCore", "AirframeCache", "CHiredis"],
        excluding: ["CHiredis"]
    ),
    .module("AirframeJSON", needs: []),
    .module(
        "AirframeEncoding",
        needs: ["AirframeCore", "AirframeCompression", "AirframeJSON", "AirframeTransport", .httpTypes]
    ),
    .module("AirframeSerialization", needs: ["AirframeCore", "AirframeJSON", "AirframeTransport"]),
    .module("AirframeWebSocketProtocol", needs: []),
    .module(
        "AirframeWebSocket",
        needs: [
            "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeWebSocketProtocol", "CZlib",
            .httpTypes,
        ]
    ),
    .module("AirframeMetrics", needs: ["AirframeCore", "AirframeTransport", .httpTypes, .coreMetrics]),
    .module("AirframeTracing", needs: ["AirframeCore", "AirframeTransport", .httpTypes, .tracing]),
    .system("CSQLite", in: "Modules/Transfers", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
    .module(
        "AirframeTransfers",
        needs: ["AirframeCore", "AirframeAuthentication", "AirframeTransport", "CSQLite", .httpTypes],
        excluding: ["CSQLite"]
    ),
    .module(
        "Airframe", in: "Modules/Airframe",
        needs: [
            "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression", "AirframeEncoding",
            "AirframeJSON", "AirframeSerialization", "AirframeSocket", "AirframeReachability", .httpTypes,
            "AirframeSecurity", "AirframeAuthentication", "AirframeConnectivity", "AirframeCookies", "AirframeCache",
            "AirframeWebSocket", "AirframeTransfers",
            .target(name: "AirframeLogging", condition: .when(traits: ["Logging"])),
            .target(name: "AirframeInspection", condition: .when(traits: ["Logging"])),
        ]
    ),
    .module(
        "AirframeAppleNames", needs: ["AirframeCore", "AirframeReachability", "AirframeSecurity", "AirframeTransport"]
    ),
    .module("AirframeFoundation", needs: ["AirframeCore", "AirframeCookies", "AirframeTransport", .httpTypes]),
    .module("AirframeConfiguration", needs: ["AirframeCore", "AirframeTransport", .configuration]),
    .module(
        "AirframeLegacy",
        needs: ["Airframe", "AirframeCore", "AirframeEncoding", "AirframeSecurity", "AirframeSerialization"]
    ),
    .system("CCurl", in: "Transports/Curl", pkgConfig: "libcurl", package: "libcurl4-openssl-dev"),
    .system("COpenSSL", in: "Modules/OpenSSL", pkgConfig: "openssl", package: "libssl-dev"),
    .module("AirframeOpenSSL", needs: ["AirframeTransport", "COpenSSL"], excluding: ["COpenSSL"]),
    .module("AirframeWire", needs: ["AirframeTransport", .httpTypes]),
    .module(
        "AirframeSecurity", needs: ["AirframeTransport", "AirframeCore", "AirframeOpenSSL", "COpenSSL", .httpTypes]
    ),
    .module(
        "AirframeCurl", in: "Transports/Curl",
        needs: ["AirframeTransport", "AirframeOpenSSL", "AirframeWire", "CCurl", "CCurlHTTP2", "COpenSSL", .httpTypes],
        excluding: ["CCurl", "CCurlHTTP2"]
    ),
    .target(name: "CCurlHTTP2", path: "Transports/Curl/CCurlHTTP2"),
    .system("CSocket", in: "Transports/Socket"),
    .system("CNGHTTP2", in: "Transports/Socket", pkgConfig: "libnghttp2", package: "libnghttp2-dev"),
    .module(
        "AirframeSocket", in: "Transports/Socket",
        needs: ["AirframeTransport", "AirframeOpenSSL", "AirframeWire", "COpenSSL", "CSocket", "CNGHTTP2", .httpTypes],
        excluding: ["CSocket", "CNGHTTP2"]
    ),
    .module("AirframeHAR", needs: ["AirframeTransport", .httpTypes]),
    .module("AirframeLogging", needs: ["AirframeCore", "AirframeTransport", "AirframeHAR", .httpTypes, .log]),
    .module("AirframeInspection", needs: ["AirframeCore", "AirframeHAR", "AirframeLogging"]),
    .module(
        "AirframeMock", in: "Transports/Mock",
        needs: ["AirframeTransport", "AirframeHAR", "AirframeWebSocketProtocol", .httpTypes]
    ),
    .module("AirframeConformance", in: "Transports/Conformance", needs: ["AirframeTransport", .httpTypes]),
    .system("CNetlink", in: "Modules/Reachability"),
    .module("AirframeReachability", needs: ["CNetlink"], excluding: ["CNetlink"]),
    .module("AirframeConnectivity", needs: ["AirframeCore", "AirframeTransport", "AirframeReachability", .httpTypes]),
    .executableTarget(
        name: "airframe-reachability",
        dependencies: ["AirframeReachability"],
        path: "Tools/airframe-reachability",
        exclude: ["airframe-reachability.1", "airframe-reachability-wait@.service"]
    ),
    // The command line without input and output.
    .target(
        name: "AirframeCommandLine", dependencies: ["AirframeTransport", "AirframeHAR"], path: "Tools/CommandLine"),
    .executableTarget(
        name: "airframe-cli",
        dependencies: [
            "Airframe", "AirframeCommandLine", "AirframeCurl", "AirframeHAR", "AirframeInspection", "AirframeSocket",
            .argumentParser, .httpTypes,
        ],
        path: "Tools/airframe"
    ),
]

/// The tests, their shared code, and the programs that they run.
let tests: [Target] = [
    .tests("HouseTests", needs: [], excluding: ["Fixtures"]),
    .tests(
        "CompatibilityTests",
        needs: sessions + [
            "Airframe", "AirframeConnectivity", "AirframeEncoding", "AirframeReachability", "AirframeSecurity",
            "AirframeCurl", "AirframeSocket", "AirframeAppleNames", "AirframeLegacy", "airframe-reachability",
        ]
    ),
    .target(
        name: "AirframeTestSupport",
        dependencies: ["AirframeConformance", "AirframeTransport", "AirframeCurl", "AirframeSocket", .httpTypes],
        path: "Tests/Support"
    ),
    .tests(
        "IntegrationTests",
        needs: engines + ["Airframe", "AirframeMock", "AirframeHAR", "airframe-cli", "blocked-pool-probe"]
    ),
    .probe("blocked-pool-probe", in: "BlockedPool", needs: ["Airframe", "AirframeCurl", "AirframeSocket"]),
    .tests(
        "ReachabilityTests",
        needs: ["AirframeReachability", "NamespaceSupport", "CNetlink", "airframe-reachability"],
        excluding: ["Support/network_manager.py"]
    ),
    .tests(
        "SecurityTests",
        needs: everything + ["AirframeSecurity", "AirframeOpenSSL", "airframe-cli", "trust-probe"],
        excluding: ["Corpus", "PKI"]
    ),
    .probe("trust-probe", in: "Trust", needs: ["AirframeSecurity", "AirframeCore", "AirframeTransport"]),
    .target(
        name: "NamespaceSupport",
        dependencies: ["AirframeReachability", "AirframeTestSupport"],
        path: "Tests/NamespaceSupport"
    ),
    .tests(
        "ConnectivityTests",
        needs: sessions + [
            "Airframe", "AirframeConnectivity", "AirframeReachability", "NamespaceSupport", "airframe-cli",
        ]
    ),
    .tests(
        "CommandLineTests",
        needs: sessions + [
            "AirframeCommandLine", "AirframeConformance", "AirframeHAR", "AirframeInspection",
            "AirframeWebSocketProtocol", "airframe-cli", "NamespaceSupport", "ask-example", "chat-example",
            "download-example", "reporter-example",
        ],
        excluding: ["Process/run_on_terminal.py"]
    ),
    .example("ask-example", in: "LanguageModel/Sources/ask"),
    .example("chat-example", in: "Chat/Sources/chat"),
    .example("download-example", in: "Downloader/Sources/download"),
    .example("reporter-example", in: "Daemon/Sources/reporter"),
    .tests("InspectionTests", needs: sessions + ["AirframeHAR", "AirframeInspection"]),
    // Through AirframeTransport, as users reach the module.
    .tests("RedactionTests", needs: common),
    .tests("TransportTests", needs: common),
    .tests(
        "CostTests",
        needs: sessions + [
            "AirframeAuthentication", "AirframeCompression", "AirframeHAR", "AirframeJSON", "AirframeLayers",
        ]
    ),
    .tests("LayersTests", needs: everything + ["AirframeLayers"]),
    .tests(
        "CoreTests",
        needs: everything + ["Airframe", "AirframeLayers"],
        excluding: ["Convertible/URITemplate/URITemplates"]
    ),
    .tests("CompressionTests", needs: common + ["AirframeCompression"]),
    .tests("CoreTransferTests", needs: engines + ["Airframe", "AirframeMock", "transfer-probe"]),
    .probe("transfer-probe", in: "Transfer", needs: ["Airframe", "AirframeCurl", "AirframeSocket"]),
    .tests(
        "TransfersTests",
        needs: everything + ["AirframeTransfers", "Airframe", "airframe-cli", "queue-probe"]
    ),
    .probe("queue-probe", in: "Queue", needs: ["Airframe", "AirframeTransfers"]),
    .tests(
        "EncodingTests",
        needs: sessions + ["AirframeEncoding", "AirframeCompression", "AirframeSocket"],
        excluding: ["Peers"]
    ),
    .tests("FoundationTests", needs: common + ["AirframeFoundation", "AirframeCore", "AirframeCookies"]),
    .tests(
        "ConfigurationTests", needs: ["AirframeConfiguration", "AirframeCore", "AirframeTransport", .configuration]),
    .tests("EnduranceTests", needs: sessions),
    .tests("SerializationTests", needs: sessions, excluding: ["Peers"]),
    .tests(
        "AuthenticationTests",
        needs: engines + ["AirframeAuthentication", "AirframeCache", "AirframeLayers"],
        excluding: ["Signatures/Vectors"]
    ),
    .tests("OAuthTests", needs: everything + ["AirframeAuthentication", "AirframeOAuth"]),
    .tests(
        "CookiesTests",
        needs: engines + [
            "AirframeCookies", "AirframeAuthentication", "AirframeLayers", "Airframe", "AirframeMock", "airframe-cli",
            "cookie-probe",
        ]
    ),
    .probe("cookie-probe", in: "Cookies", needs: ["AirframeCookies"]),
    .tests(
        "WebSocketTests",
        needs: everything + [
            "AirframeWebSocket", "AirframeWebSocketProtocol", "AirframeHAR", "AirframeLogging", "AirframeMetrics",
            "airframe-cli", "websocket-probe", .metricsTestKit,
        ]
    ),
    .probe(
        "websocket-probe", in: "WebSocket",
        needs: ["AirframeCore", "AirframeSocket", "AirframeTransport", "AirframeWebSocket"]
    ),
    .tests(
        "CacheTests",
        needs: engines + [
            "AirframeCache", "AirframeLayers", "Airframe", "AirframeMock", "AirframeHAR", "airframe-cli", "cache-probe",
        ]
    ),
    .probe("cache-probe", in: "Cache", needs: ["AirframeCache", "AirframeLayers", "AirframeTransport", .httpTypes]),
    .tests(
        "RedisTests",
        needs: engines + ["AirframeRedis", "AirframeCache", "AirframeCore", "AirframeLayers", "redis-probe"]
    ),
    .probe(
        "redis-probe", in: "Redis",
        needs: [
            "AirframeRedis", "AirframeCache", "AirframeCore", "AirframeLayers", "AirframeSerialization",
            "AirframeTransport", .httpTypes,
        ]
    ),
    .tests(
        "JSONTests", needs: ["AirframeJSON", "AirframeSerialization", "AirframeTestSupport"], excluding: ["Corpus"]),
    .tests("MockTests", needs: sessions + ["AirframeHAR", "AirframeLayers", "AirframeCompression"]),
    .tests(
        "MetricsTests", needs: everything + ["AirframeLayers", "AirframeMetrics", .coreMetrics, .metricsTestKit]),
    .tests(
        "TracingTests",
        needs: everything + ["AirframeTracing", "Airframe", "AirframeLayers", .tracing, .inMemoryTracing]
    ),
    .tests(
        "HARTests",
        needs: everything + ["AirframeHAR", "AirframeLogging", "Airframe", "AirframeCompression", "har-probe"],
        excluding: ["Readers"]
    ),
    .probe(
        "har-probe", in: "HAR", needs: ["AirframeCore", "AirframeLogging", "AirframeMock", "AirframeSerialization"]),
    .tests(
        "LoggingTests",
        needs: everything + [
            "AirframeLogging", "AirframeEncoding", "AirframeAuthentication", "AirframeMetrics", "AirframeTracing", .log,
            .tracing, .metricsTestKit, .inMemoryTracing,
        ]
    ),
    .tests(
        "SocketTests", needs: everything + ["AirframeSecurity", "AirframeWire", "CNGHTTP2"], excluding: ["HTTP1/Corpus"]
    ),
    .tests(
        "ConformanceTests",
        needs: engines + [
            "AirframeMock", "AirframeLayers", "AirframeAuthentication", "AirframeCompression", "ConformanceEngines",
            "conformance-probe", "signal-probe",
        ]
    ),
    .target(
        name: "ConformanceEngines",
        dependencies: ["AirframeConformance", "AirframeCurl", "AirframeMock", "AirframeSocket", .httpTypes],
        path: "Tests/ConformanceEngines"
    ),
    .probe("conformance-probe", in: "Conformance", needs: ["ConformanceEngines"]),
    .probe(
        "signal-probe", in: "Signals",
        needs: [
            "AirframeCore", "AirframeCurl", "AirframeLogging", "AirframeMock", "AirframeSerialization",
            "AirframeSocket", "AirframeTransport", .httpTypes,
        ]
    ),
    .tests("EngineTests", needs: engines + ["NamespaceSupport", "engine-probe", "slow-files-probe"]),
    .probe("slow-files-probe", in: "SlowFiles", needs: []),
    .probe(
        "engine-probe", in: "Engines",
        needs: ["AirframeTransport", "AirframeCurl", "AirframeSocket", "AirframeConformance", .httpTypes]
    ),
    .probe("http2-probe", in: "HTTP2", needs: ["AirframeSocket", "AirframeTransport", .httpTypes]),
    .tests("CurlTests", needs: engines + ["AirframeWire"]),
    .tests("WireTests", needs: common + ["AirframeWire"]),
]

let package = Package(
    name: "airframe",
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "airframe-reachability", targets: ["airframe-reachability"]),
        .executable(name: "airframe", targets: ["airframe-cli"]),
    ],
    traits: [
        .trait(name: "Logging", description: "AirframeLogging and AirframeInspection, over swift-log"),
        .trait(name: "Metrics", description: "AirframeMetrics, over swift-metrics"),
        .trait(name: "Tracing", description: "AirframeTracing, over swift-distributed-tracing"),
        .trait(name: "Configuration", description: "AirframeConfiguration, over swift-configuration"),
        .trait(name: "CommandLine", description: "the program airframe, over swift-argument-parser"),
        .default(enabledTraits: ["Logging", "Metrics", "Tracing", "Configuration", "CommandLine"]),
    ],
    // Every dependency but swift-http-types belongs to a trait: Docs/Decisions/0109-traits.md.
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
    ],
    targets: modules + tests,
    swiftLanguageModes: [.v6]
)

/// One set of rules for every Swift target, so that no module is laxer than the others. Examples have the rules of
/// their own packages.
for target in package.targets
where ![.system, .plugin, .binary].contains(target.type) && target.path?.hasPrefix("Examples/") != true {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

/// The modules that every request passes through. Their asynchronous functions run on their caller's executor
/// (Docs/Decisions/0023-functions-run-where-their-caller-does.md).
for target in package.targets
where [
    "AirframeTransport", "AirframeLayers", "AirframeCompression", "AirframeAuthentication", "AirframeCookies",
    "AirframeCache", "AirframeCore", "AirframeSerialization", "AirframeCurl", "AirframeSocket",
    "AirframeRedis", "AirframeWebSocket",
].contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
}

extension Target {
    /// Tests in `Tests/name`.
    static func tests(_ name: String, needs dependencies: [Dependency], excluding: [String] = []) -> Target {
        .testTarget(name: name, dependencies: dependencies, exclude: excluding)
    }

    /// A program that tests run as a separate process.
    static func probe(_ name: String, in folder: String, needs dependencies: [Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "Tests/Probes/\(folder)")
    }

    /// A program of a package in `Examples`, which tests run as a separate process.
    static func example(_ name: String, in folder: String) -> Target {
        .executableTarget(name: name, dependencies: ["Airframe", "AirframeMock"], path: "Examples/\(folder)")
    }

    /// A module with a README, which is excluded. Its folder is that of its name in Modules unless `folder` is given.
    static func module(
        _ name: String,
        in folder: String? = nil,
        needs dependencies: [Dependency],
        excluding: [String] = []
    ) -> Target {
        .target(
            name: name,
            dependencies: dependencies,
            path: folder ?? "Modules/\(name.dropFirst("Airframe".count))",
            exclude: excluding + ["README.md"]
        )
    }

    /// A C library, in a folder of its name within its module's, and its Debian package.
    static func system(
        _ name: String,
        in folder: String,
        pkgConfig: String? = nil,
        package: String? = nil
    ) -> Target {
        .systemLibrary(
            name: name,
            path: "\(folder)/\(name)",
            pkgConfig: pkgConfig,
            providers: package.map { [.apt([$0])] }
        )
    }
}

extension Target.Dependency {
    static let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
    static let log = product("Logging", of: "swift-log", trait: "Logging")
    static let coreMetrics = product("CoreMetrics", of: "swift-metrics", trait: "Metrics")
    static let metricsTestKit = product("MetricsTestKit", of: "swift-metrics", trait: "Metrics")
    static let tracing = product("Tracing", of: "swift-distributed-tracing", trait: "Tracing")
    static let inMemoryTracing = product("InMemoryTracing", of: "swift-distributed-tracing", trait: "Tracing")
    static let configuration = product("Configuration", of: "swift-configuration", trait: "Configuration")
    static let argumentParser = product("ArgumentParser", of: "swift-argument-parser", trait: "CommandLine")

    private static func product(_ name: String, of package: String, trait: String) -> Target.Dependency {
        .product(name: name, package: package, condition: .when(traits: [trait]))
    }
}
