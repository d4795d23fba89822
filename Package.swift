// swift-tools-version: 6.2
import PackageDescription

// A row of the house: one module, one product, one folder, and the modules that it may import.
// Docs/Architecture.md explains the arrows; Tests/HouseTests holds them.

/// What users import: each module is a product of its own.
let libraries = [
    "Airframe", "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression",
    "AirframeAuthentication", "AirframeEncoding", "AirframeSerialization", "AirframeJSON", "AirframeSecurity",
    "AirframeReachability", "AirframeConnectivity", "AirframeCurl", "AirframeSocket", "AirframeHAR", "AirframeLogging",
    "AirframeMock", "AirframeConformance", "AirframeMetrics", "AirframeTracing", "AirframeCookies",
    "AirframeAppleNames", "AirframeLegacy",
    "AirframeCache", "AirframeRedis", "AirframeWebSocket", "AirframeOAuth", "AirframeFoundation",
    "AirframeConfiguration", "AirframeTransfers", "AirframeInspection",
]

/// What tests of both engines need.
let engines: [Target.Dependency] = [
    "AirframeTransport", "AirframeCurl", "AirframeSocket", "AirframeConformance", .httpTypes,
]

/// The modules of the house, the C libraries beneath them, and the tools.
let modules: [Target] = [
    .module("AirframeRedaction", in: "Modules/Redaction", needs: [.httpTypes]),
    .module("AirframeTransport", in: "Modules/Transport", needs: ["AirframeRedaction", .httpTypes]),
    .module("AirframeLayers", in: "Modules/Layers", needs: ["AirframeTransport", .httpTypes]),
    .module("AirframeCore", in: "Modules/Core", needs: ["AirframeTransport", "AirframeLayers", .httpTypes]),
    .systemLibrary(
        name: "CZlib", path: "Modules/Compression/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]
    ),
    .systemLibrary(
        name: "CBrotli", path: "Modules/Compression/CBrotli", pkgConfig: "libbrotlienc",
        providers: [.apt(["libbrotli-dev"])]
    ),
    .systemLibrary(
        name: "CZstd", path: "Modules/Compression/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]
    ),
    .module(
        "AirframeCompression",
        in: "Modules/Compression",
        needs: ["AirframeTransport", "CZlib", "CBrotli", "CZstd", .httpTypes],
        excluding: ["CZlib", "CBrotli", "CZstd"]
    ),
    .module(
        "AirframeAuthentication",
        in: "Modules/Authentication",
        needs: ["AirframeTransport", "COpenSSL", .httpTypes]
    ),
    .module(
        "AirframeOAuth",
        in: "Modules/OAuth",
        needs: ["AirframeAuthentication", "AirframeCore", "AirframeTransport", .httpTypes]
    ),
    .systemLibrary(
        name: "CPSL", path: "Modules/Cookies/CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]
    ),
    .module(
        "AirframeCookies",
        in: "Modules/Cookies",
        needs: ["AirframeTransport", "AirframeLayers", "CPSL", .httpTypes],
        excluding: ["CPSL"]
    ),
    .module("AirframeCache", in: "Modules/Cache", needs: ["AirframeTransport", "AirframeLayers", .httpTypes]),
    // Without pkgConfig: its flags have one that SwiftPM warns about.
    .systemLibrary(name: "CHiredis", path: "Modules/Redis/CHiredis", providers: [.apt(["libhiredis-dev"])]),
    .module(
        "AirframeRedis",
        in: "Modules/Redis",
        needs: ["AirframeTransport", "AirframeCore", "AirframeCache", "CHiredis"],
        excluding: ["CHiredis"]
    ),
    .module("AirframeJSON", in: "Modules/JSON", needs: []),
    .module(
        "AirframeEncoding",
        in: "Modules/Encoding",
        needs: ["AirframeCore", "AirframeCompression", "AirframeJSON", "AirframeTransport", .httpTypes]
    ),
    .module(
        "AirframeSerialization",
        in: "Modules/Serialization",
        needs: ["AirframeCore", "AirframeJSON", "AirframeTransport"]
    ),
    .module("AirframeWebSocketProtocol", in: "Modules/WebSocketProtocol", needs: []),
    .module(
        "AirframeWebSocket",
        in: "Modules/WebSocket",
        needs: [
            "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeWebSocketProtocol", "CZlib",
            .httpTypes,
        ]
    ),
    .module(
        "AirframeMetrics",
        in: "Modules/Metrics",
        needs: ["AirframeCore", "AirframeTransport", .httpTypes, .coreMetrics]
    ),
    .module(
        "AirframeTracing",
        in: "Modules/Tracing",
        needs: ["AirframeCore", "AirframeTransport", .httpTypes, .tracing]
    ),
    .systemLibrary(
        name: "CSQLite", path: "Modules/Transfers/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]
    ),
    .module(
        "AirframeTransfers",
        in: "Modules/Transfers",
        needs: ["AirframeCore", "AirframeAuthentication", "AirframeTransport", "CSQLite", .httpTypes],
        excluding: ["CSQLite"]
    ),
    .module(
        "Airframe",
        in: "Modules/Airframe",
        needs: [
            "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression", "AirframeEncoding",
            "AirframeJSON", "AirframeSerialization", "AirframeSocket", "AirframeReachability", .httpTypes,
            "AirframeSecurity",
            "AirframeAuthentication", "AirframeConnectivity", "AirframeCookies", "AirframeCache",
            "AirframeWebSocket", "AirframeTransfers",
            .target(name: "AirframeLogging", condition: .when(traits: ["Logging"])),
            .target(name: "AirframeInspection", condition: .when(traits: ["Logging"])),
        ]
    ),
    .module(
        "AirframeAppleNames",
        in: "Modules/AppleNames",
        needs: ["AirframeCore", "AirframeReachability", "AirframeSecurity", "AirframeTransport"]
    ),
    .module(
        "AirframeFoundation",
        in: "Modules/Foundation",
        needs: ["AirframeCore", "AirframeCookies", "AirframeTransport", .httpTypes]
    ),
    .module(
        "AirframeConfiguration",
        in: "Modules/Configuration",
        needs: ["AirframeCore", "AirframeTransport", .configuration]
    ),
    .module(
        "AirframeLegacy",
        in: "Modules/Legacy",
        needs: ["Airframe", "AirframeCore", "AirframeEncoding", "AirframeSerialization"]
    ),
    .systemLibrary(
        name: "CCurl", path: "Transports/Curl/CCurl", pkgConfig: "libcurl",
        providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .systemLibrary(
        name: "COpenSSL",
        path: "Modules/OpenSSL/COpenSSL",
        pkgConfig: "openssl",
        providers: [.apt(["libssl-dev"])]
    ),
    .module(
        "AirframeOpenSSL",
        in: "Modules/OpenSSL",
        needs: ["AirframeTransport", "COpenSSL"],
        excluding: ["COpenSSL"]
    ),
    .module("AirframeWire", in: "Modules/Wire", needs: ["AirframeTransport", .httpTypes]),
    .module(
        "AirframeSecurity",
        in: "Modules/Security",
        needs: ["AirframeTransport", "AirframeCore", "AirframeOpenSSL", "COpenSSL", .httpTypes]
    ),
    .module(
        "AirframeCurl",
        in: "Transports/Curl",
        needs: [
            "AirframeTransport", "AirframeOpenSSL", "AirframeWire", "CCurl", "CCurlHTTP2", "COpenSSL", .httpTypes,
        ],
        excluding: ["CCurl", "CCurlHTTP2"]
    ),
    .target(name: "CCurlHTTP2", path: "Transports/Curl/CCurlHTTP2"),
    .systemLibrary(name: "CSocket", path: "Transports/Socket/CSocket"),
    .systemLibrary(
        name: "CNGHTTP2", path: "Transports/Socket/CNGHTTP2", pkgConfig: "libnghttp2",
        providers: [.apt(["libnghttp2-dev"])]
    ),
    .module(
        "AirframeSocket",
        in: "Transports/Socket",
        needs: [
            "AirframeTransport", "AirframeOpenSSL", "AirframeWire", "COpenSSL", "CSocket", "CNGHTTP2", .httpTypes,
        ],
        excluding: ["CSocket", "CNGHTTP2"]
    ),
    .module("AirframeHAR", in: "Modules/HAR", needs: ["AirframeTransport", .httpTypes]),
    .module(
        "AirframeLogging",
        in: "Modules/Logging",
        needs: ["AirframeCore", "AirframeTransport", "AirframeHAR", .httpTypes, .log]
    ),
    .module(
        "AirframeInspection",
        in: "Modules/Inspection",
        needs: ["AirframeCore", "AirframeHAR", "AirframeLogging"]
    ),
    .module(
        "AirframeMock",
        in: "Transports/Mock",
        needs: ["AirframeTransport", "AirframeHAR", "AirframeWebSocketProtocol", .httpTypes]
    ),
    .module("AirframeConformance", in: "Transports/Conformance", needs: ["AirframeTransport", .httpTypes]),
    .systemLibrary(name: "CNetlink", path: "Modules/Reachability/CNetlink"),
    .module("AirframeReachability", in: "Modules/Reachability", needs: ["CNetlink"], excluding: ["CNetlink"]),
    .module(
        "AirframeConnectivity",
        in: "Modules/Connectivity",
        needs: ["AirframeCore", "AirframeTransport", "AirframeReachability", .httpTypes]
    ),
    .executableTarget(
        name: "airframe-reachability",
        dependencies: ["AirframeReachability"],
        path: "Tools/airframe-reachability",
        exclude: ["airframe-reachability.1", "airframe-reachability-wait@.service"]
    ),
    // What the command line does without input and output.
    .target(
        name: "AirframeCommandLine",
        dependencies: ["AirframeTransport", "AirframeHAR"],
        path: "Tools/CommandLine"
    ),
    .executableTarget(
        name: "airframe-cli",
        dependencies: [
            "Airframe", "AirframeCommandLine", "AirframeCurl", "AirframeHAR", "AirframeInspection", "AirframeSocket",
            .argumentParser, .httpTypes,
        ],
        path: "Tools/airframe"
    ),
]

/// The tests, what they share, and the programs that they run.
let tests: [Target] = [
    .testTarget(name: "HouseTests", exclude: ["Fixtures"]),
    .testTarget(
        name: "CompatibilityTests",
        dependencies: [
            "Airframe", "AirframeConnectivity", "AirframeCore", "AirframeEncoding", "AirframeReachability",
            "AirframeSecurity", "AirframeSerialization", "AirframeTransport", "AirframeTestSupport", "AirframeCurl",
            "AirframeSocket", "AirframeAppleNames", "AirframeLegacy", "airframe-reachability",
        ]
    ),
    .target(
        name: "AirframeTestSupport",
        dependencies: ["AirframeTransport", "AirframeCurl", "AirframeSocket", .httpTypes],
        path: "Tests/Support"
    ),
    .testTarget(
        name: "IntegrationTests",
        dependencies: [
            "AirframeCurl", "Airframe", "AirframeSocket", "AirframeMock", "AirframeConformance", "AirframeHAR",
            "AirframeTestSupport", "airframe-cli", "blocked-pool-probe",
        ]
    ),
    .probe("blocked-pool-probe", in: "BlockedPool", needs: ["Airframe", "AirframeCurl", "AirframeSocket"]),
    .testTarget(
        name: "ReachabilityTests",
        dependencies: ["AirframeReachability", "NamespaceSupport", "CNetlink", "airframe-reachability"],
        exclude: ["Support/network_manager.py"]
    ),
    .testTarget(
        name: "SecurityTests",
        dependencies: [
            "AirframeSecurity", "AirframeOpenSSL", "AirframeCore", "AirframeTransport", "AirframeCurl",
            "AirframeSocket", "AirframeTestSupport", "AirframeSerialization", "airframe-cli", "trust-probe",
            .httpTypes,
        ],
        exclude: ["Corpus", "PKI"]
    ),
    .probe("trust-probe", in: "Trust", needs: ["AirframeSecurity", "AirframeCore", "AirframeTransport"]),
    .target(
        name: "NamespaceSupport",
        dependencies: ["AirframeReachability", "AirframeTestSupport"],
        path: "Tests/NamespaceSupport"
    ),
    .testTarget(
        name: "ConnectivityTests",
        dependencies: [
            "Airframe", "AirframeConnectivity", "AirframeCore", "AirframeMock", "AirframeReachability",
            "AirframeSerialization", "AirframeTransport", "AirframeTestSupport", "NamespaceSupport", "airframe-cli",
            .httpTypes,
        ]
    ),
    .testTarget(
        name: "CommandLineTests",
        dependencies: [
            "AirframeCommandLine", "AirframeConformance", "AirframeCore", "AirframeHAR", "AirframeInspection",
            "AirframeMock", "AirframeSerialization", "AirframeTestSupport", "AirframeTransport", "airframe-cli",
            .httpTypes,
        ],
        exclude: ["Process/run_on_terminal.py"]
    ),
    .testTarget(
        name: "InspectionTests",
        dependencies: [
            "AirframeCore", "AirframeHAR", "AirframeInspection", "AirframeMock", "AirframeSerialization",
            "AirframeTransport", .httpTypes,
        ]
    ),
    // Through AirframeTransport, as users reach the module.
    .testTarget(name: "RedactionTests", dependencies: ["AirframeTransport", .httpTypes]),
    .testTarget(name: "TransportTests", dependencies: ["AirframeTransport", .httpTypes]),
    .testTarget(
        name: "CostTests",
        dependencies: [
            "AirframeAuthentication", "AirframeCompression", "AirframeCore", "AirframeHAR", "AirframeJSON",
            "AirframeLayers", "AirframeMock", "AirframeSerialization", "AirframeTransport", "AirframeTestSupport",
            .httpTypes,
        ]
    ),
    .testTarget(
        name: "LayersTests",
        dependencies: engines + [
            "AirframeCore", "AirframeLayers", "AirframeMock", "AirframeSerialization", "AirframeTestSupport",
        ]
    ),
    .testTarget(
        name: "CoreTests",
        dependencies: engines + [
            "Airframe", "AirframeCore", "AirframeLayers", "AirframeMock", "AirframeSerialization",
            "AirframeTestSupport",
        ],
        exclude: ["Convertible/URITemplate/URITemplates"]
    ),
    .testTarget(
        name: "CompressionTests",
        dependencies: ["AirframeCompression", "AirframeTransport", "AirframeTestSupport", .httpTypes]
    ),
    .testTarget(
        name: "TransferTests",
        dependencies: [
            "AirframeCurl", "Airframe", "AirframeSocket", "AirframeMock", "AirframeConformance", "AirframeTestSupport",
            "transfer-probe", .httpTypes,
        ]
    ),
    .probe("transfer-probe", in: "Transfer", needs: ["Airframe", "AirframeCurl", "AirframeSocket"]),
    .testTarget(
        name: "TransferQueueTests",
        dependencies: [
            "AirframeTransfers", "Airframe", "AirframeConformance", "AirframeCore", "AirframeCurl", "AirframeMock",
            "AirframeSerialization", "AirframeSocket", "AirframeTestSupport", "AirframeTransport", "airframe-cli",
            "queue-probe", .httpTypes,
        ]
    ),
    .probe("queue-probe", in: "Queue", needs: ["Airframe", "AirframeTransfers"]),
    .testTarget(
        name: "EncodingTests",
        dependencies: [
            "AirframeEncoding", "AirframeCore", "AirframeCompression", "AirframeTransport", "AirframeSerialization",
            "AirframeMock", "AirframeSocket", "AirframeTestSupport", .httpTypes,
        ],
        exclude: ["Peers"]
    ),
    .testTarget(
        name: "FoundationTests",
        dependencies: ["AirframeFoundation", "AirframeCore", "AirframeCookies", "AirframeTransport", .httpTypes]
    ),
    .testTarget(
        name: "ConfigurationTests",
        dependencies: ["AirframeConfiguration", "AirframeCore", "AirframeTransport", .configuration]
    ),
    .testTarget(
        name: "EnduranceTests",
        dependencies: [
            "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeTestSupport", .httpTypes,
        ]
    ),
    .testTarget(
        name: "SerializationTests",
        dependencies: [
            "AirframeSerialization", "AirframeCore", "AirframeTransport", "AirframeMock", "AirframeTestSupport",
            .httpTypes,
        ],
        exclude: ["Peers"]
    ),
    .testTarget(
        name: "AuthenticationTests",
        dependencies: engines + ["AirframeAuthentication", "AirframeLayers", "AirframeTestSupport"],
        exclude: ["Signatures/Vectors"]
    ),
    .testTarget(
        name: "OAuthTests",
        dependencies: engines + [
            "AirframeAuthentication", "AirframeCore", "AirframeMock", "AirframeOAuth", "AirframeSerialization",
            "AirframeTestSupport",
        ]
    ),
    .testTarget(
        name: "CookiesTests",
        dependencies: [
            "AirframeCurl", "AirframeCookies", "AirframeAuthentication", "AirframeLayers", "AirframeTransport",
            "Airframe",
            "AirframeTestSupport", "AirframeMock", "AirframeSocket", "AirframeConformance", "airframe-cli",
            "cookie-probe", .httpTypes,
        ]
    ),
    .probe("cookie-probe", in: "Cookies", needs: ["AirframeCookies"]),
    .testTarget(
        name: "WebSocketTests",
        dependencies: [
            "AirframeWebSocket", "AirframeWebSocketProtocol", "AirframeConformance", "AirframeCore", "AirframeMock",
            "AirframeHAR", "AirframeLogging", "AirframeMetrics", "AirframeSerialization", "AirframeSocket",
            "AirframeTestSupport", "AirframeTransport", "airframe-cli", "websocket-probe", .httpTypes,
            .metricsTestKit,
        ]
    ),
    .probe(
        "websocket-probe",
        in: "WebSocket",
        needs: ["AirframeCore", "AirframeSocket", "AirframeTransport", "AirframeWebSocket"]
    ),
    .testTarget(
        name: "CacheTests",
        dependencies: [
            "AirframeCache", "AirframeLayers", "AirframeTransport", "Airframe", "AirframeTestSupport", "AirframeMock",
            "AirframeSocket", "AirframeCurl", "AirframeConformance", "AirframeHAR", "airframe-cli", "cache-probe",
            .httpTypes,
        ]
    ),
    .probe("cache-probe", in: "Cache", needs: ["AirframeCache", "AirframeLayers", "AirframeTransport", .httpTypes]),
    .testTarget(
        name: "RedisTests",
        dependencies: [
            "AirframeRedis", "AirframeCache", "AirframeCore", "AirframeCurl", "AirframeLayers",
            "AirframeSocket", "AirframeTransport", "AirframeTestSupport", "redis-probe", .httpTypes,
        ]
    ),
    .probe(
        "redis-probe",
        in: "Redis",
        needs: [
            "AirframeRedis", "AirframeCache", "AirframeCore", "AirframeLayers", "AirframeSerialization",
            "AirframeTransport", .httpTypes,
        ]
    ),
    .testTarget(name: "JSONTests", dependencies: ["AirframeJSON", "AirframeSerialization"]),
    .testTarget(
        name: "MockTests",
        dependencies: [
            "AirframeMock", "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeTestSupport",
            .httpTypes,
        ]
    ),
    .testTarget(
        name: "MetricsTests",
        dependencies: [
            "AirframeMetrics", "AirframeConformance", "AirframeCore", "AirframeCurl", "AirframeMock",
            "AirframeSerialization", "AirframeSocket", "AirframeTransport", .httpTypes, .coreMetrics,
            .metricsTestKit,
        ]
    ),
    .testTarget(
        name: "TracingTests",
        dependencies: [
            "AirframeTracing", "Airframe", "AirframeConformance", "AirframeCore", "AirframeCurl", "AirframeLayers",
            "AirframeMock", "AirframeSerialization", "AirframeSocket", "AirframeTestSupport", "AirframeTransport",
            .httpTypes, .tracing,
            .inMemoryTracing,
        ]
    ),
    .testTarget(
        name: "HARTests",
        dependencies: [
            "AirframeCurl", "AirframeHAR", "AirframeLogging", "AirframeMock", "Airframe", "AirframeCore",
            "AirframeSerialization",
            "AirframeSocket", "AirframeLayers", "AirframeCompression", "AirframeTransport", "AirframeTestSupport",
            "har-probe", .httpTypes,
        ],
        exclude: ["Readers"]
    ),
    .probe(
        "har-probe",
        in: "HAR",
        needs: ["AirframeCore", "AirframeLogging", "AirframeMock", "AirframeSerialization"]
    ),
    .testTarget(
        name: "LoggingTests",
        dependencies: [
            "AirframeLogging", "AirframeCore", "AirframeEncoding", "AirframeSerialization", "AirframeSocket",
            "AirframeAuthentication", "AirframeMock", "AirframeConformance", "AirframeMetrics", "AirframeTracing",
            "AirframeTransport", .httpTypes, .log, .tracing,
            .metricsTestKit,
            .inMemoryTracing,
        ]
    ),
    .testTarget(
        name: "SocketTests",
        dependencies: engines + [
            "AirframeCore", "AirframeMock", "AirframeSecurity", "AirframeSerialization", "AirframeTestSupport",
            "AirframeWire",
        ],
        exclude: ["HTTP1/Corpus"]
    ),
    .testTarget(
        name: "ConformanceTests",
        dependencies: [
            "AirframeConformance", "AirframeCurl", "AirframeMock", "AirframeLayers", "AirframeAuthentication",
            "AirframeCompression", "AirframeTransport", .httpTypes, "AirframeSocket", "AirframeTestSupport",
            "ConformanceEngines", "conformance-probe", "signal-probe",
        ]
    ),
    .target(
        name: "ConformanceEngines",
        dependencies: ["AirframeConformance", "AirframeCurl", "AirframeMock", "AirframeSocket", .httpTypes],
        path: "Tests/ConformanceEngines"
    ),
    .probe("conformance-probe", in: "Conformance", needs: ["ConformanceEngines"]),
    .probe(
        "signal-probe",
        in: "Signals",
        needs: [
            "AirframeCore", "AirframeCurl", "AirframeLogging", "AirframeMock", "AirframeSerialization",
            "AirframeSocket", "AirframeTransport", .httpTypes,
        ]
    ),
    .testTarget(
        name: "EngineTests",
        dependencies: engines + [
            "AirframeTestSupport", "NamespaceSupport", "engine-probe", "slow-files-probe",
        ]
    ),
    .probe("slow-files-probe", in: "SlowFiles", needs: []),
    .probe("engine-probe", in: "Engines", needs: engines),
    .probe("http2-probe", in: "HTTP2", needs: ["AirframeSocket", "AirframeTransport", .httpTypes]),
    .testTarget(name: "CurlTests", dependencies: engines + ["AirframeTestSupport"]),
    .testTarget(name: "WireTests", dependencies: ["AirframeTransport", "AirframeWire", .httpTypes]),
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

/// One set of rules for every Swift target, so that no module is laxer than the others.
for target in package.targets where ![.system, .plugin, .binary].contains(target.type) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}

/// The modules that every request passes through. Their asynchronous functions run where their caller does: without
/// this each call and each return takes a look at the executor, which was a tenth of what a small request cost.
for target in package.targets
where [
    "AirframeTransport", "AirframeLayers", "AirframeCompression", "AirframeAuthentication", "AirframeCookies",
    "AirframeCache", "AirframeCore", "AirframeSerialization", "AirframeCurl", "AirframeSocket",
    "AirframeRedis", "AirframeWebSocket",
].contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
}

extension Target {
    /// A program that tests run as a process of its own.
    static func probe(_ name: String, in folder: String, needs dependencies: [Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, path: "Tests/Probes/\(folder)")
    }

    /// A module with a README, which is no source.
    static func module(
        _ name: String,
        in folder: String,
        needs dependencies: [Dependency],
        excluding: [String] = []
    ) -> Target {
        .target(name: name, dependencies: dependencies, path: folder, exclude: excluding + ["README.md"])
    }
}

extension Target.Dependency {
    static let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
    static let log = Target.Dependency.product(
        name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])
    )
    static let coreMetrics = Target.Dependency.product(
        name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])
    )
    static let metricsTestKit = Target.Dependency.product(
        name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])
    )
    static let tracing = Target.Dependency.product(
        name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
    )
    static let inMemoryTracing = Target.Dependency.product(
        name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
    )
    static let configuration = Target.Dependency.product(
        name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])
    )
    static let argumentParser = Target.Dependency.product(
        name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CommandLine"])
    )
}
