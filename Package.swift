// swift-tools-version: 6.2
import PackageDescription

// A row of the house: one module, one product, one folder, and the modules that it may import.
// Docs/Architecture.md explains the arrows; Tests/HouseTests holds them.

/// What users import: each module is a product of its own.
let libraries = [
    "Airframe", "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression",
    "AirframeAuthentication", "AirframeEncoding", "AirframeSerialization", "AirframeJSON", "AirframeSecurity",
    "AirframeReachability", "AirframeCurl", "AirframeSocket", "AirframeHAR", "AirframeLogging", "AirframeMock",
    "AirframeConformance", "AirframeMetrics", "AirframeTracing", "AirframeCookies",
]

let package = Package(
    name: "airframe",
    products: libraries.map { .library(name: $0, targets: [$0]) } + [
        .executable(name: "airframe-reachability", targets: ["airframe-reachability"]),
        .executable(name: "airframe", targets: ["airframe-cli"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        // Only AirframeMetrics depends on it: see Docs/Decisions/0028.
        .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .target(
            name: "AirframeTransport", dependencies: [.httpTypes], path: "Modules/Transport", exclude: ["README.md"]
        ),
        .target(
            name: "AirframeLayers",
            dependencies: ["AirframeTransport", .httpTypes],
            path: "Modules/Layers",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeCore",
            dependencies: ["AirframeTransport", "AirframeLayers", .httpTypes],
            path: "Modules/Core",
            exclude: ["README.md"]
        ),
        .systemLibrary(
            name: "CZlib", path: "Modules/Compression/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(
            name: "CBrotli",
            path: "Modules/Compression/CBrotli",
            pkgConfig: "libbrotlienc",
            providers: [.apt(["libbrotli-dev"])]
        ),
        .systemLibrary(
            name: "CZstd", path: "Modules/Compression/CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]
        ),
        .target(
            name: "AirframeCompression",
            dependencies: ["AirframeTransport", "CZlib", "CBrotli", "CZstd", .httpTypes],
            path: "Modules/Compression",
            exclude: ["CZlib", "CBrotli", "CZstd", "README.md"]
        ),
        .target(
            name: "AirframeAuthentication",
            dependencies: ["AirframeTransport", "COpenSSL", .httpTypes],
            path: "Modules/Authentication",
            exclude: ["README.md"]
        ),
        .systemLibrary(
            name: "CPSL", path: "Modules/Cookies/CPSL", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]
        ),
        .target(
            name: "AirframeCookies",
            dependencies: ["AirframeTransport", "AirframeLayers", "CPSL", .httpTypes],
            path: "Modules/Cookies",
            exclude: ["CPSL", "README.md"]
        ),
        .target(
            name: "AirframeEncoding",
            dependencies: ["AirframeCore", "AirframeCompression", "AirframeTransport", .httpTypes],
            path: "Modules/Encoding",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeSerialization",
            dependencies: ["AirframeCore", "AirframeTransport"],
            path: "Modules/Serialization",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeJSON", dependencies: ["AirframeSerialization"], path: "Modules/JSON", exclude: ["README.md"]
        ),
        .target(
            name: "AirframeMetrics",
            dependencies: ["AirframeCore", "AirframeTransport", .httpTypes, .coreMetrics],
            path: "Modules/Metrics",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeTracing",
            dependencies: ["AirframeCore", "AirframeTransport", .httpTypes, .tracing],
            path: "Modules/Tracing",
            exclude: ["README.md"]
        ),
        .target(
            name: "Airframe",
            dependencies: [
                "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression", "AirframeEncoding",
                "AirframeSerialization", "AirframeCurl", "AirframeReachability", .httpTypes, "AirframeSecurity",
                "AirframeAuthentication", "AirframeLogging", "AirframeCookies",
            ],
            path: "Modules/Airframe",
            exclude: ["README.md"]
        ),
        .systemLibrary(
            name: "CCurl",
            path: "Transports/Curl/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "COpenSSL", path: "Modules/Security/COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]
        ),
        .target(
            name: "AirframeOpenSSL", dependencies: ["AirframeTransport", "COpenSSL"], path: "Modules/Security/OpenSSL"
        ),
        .target(
            name: "AirframeSecurity",
            dependencies: ["AirframeTransport", "AirframeCore", "AirframeOpenSSL", "COpenSSL", .httpTypes],
            path: "Modules/Security",
            exclude: ["COpenSSL", "OpenSSL", "README.md"]
        ),
        .target(
            name: "AirframeCurl",
            dependencies: ["AirframeTransport", "AirframeOpenSSL", "CCurl", "COpenSSL", .httpTypes],
            path: "Transports/Curl",
            exclude: ["CCurl", "README.md"]
        ),
        .systemLibrary(name: "CSocket", path: "Transports/Socket/CSocket"),
        .target(
            name: "AirframeSocket",
            dependencies: ["AirframeTransport", "AirframeOpenSSL", "COpenSSL", "CSocket", .httpTypes],
            path: "Transports/Socket",
            exclude: ["CSocket", "README.md"]
        ),
        .target(
            name: "AirframeHAR",
            dependencies: ["AirframeTransport", .httpTypes],
            path: "Modules/HAR",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeLogging",
            dependencies: ["AirframeCore", "AirframeTransport", "AirframeHAR", .httpTypes, .log],
            path: "Modules/Logging",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeMock",
            dependencies: ["AirframeTransport", "AirframeHAR", .httpTypes],
            path: "Transports/Mock",
            exclude: ["README.md"]
        ),
        .target(
            name: "AirframeConformance",
            dependencies: ["AirframeTransport", .httpTypes],
            path: "Transports/Conformance",
            exclude: ["README.md"]
        ),
        .systemLibrary(name: "CNetlink", path: "Modules/Reachability/CNetlink"),
        .target(
            name: "AirframeReachability",
            dependencies: ["CNetlink"],
            path: "Modules/Reachability",
            exclude: ["CNetlink", "README.md"]
        ),
        .executableTarget(
            name: "airframe-reachability",
            dependencies: ["AirframeReachability"],
            path: "Tools/airframe-reachability",
            exclude: ["airframe-reachability.1", "airframe-reachability-wait@.service"]
        ),
        .executableTarget(
            name: "airframe-cli", dependencies: ["Airframe", "AirframeSocket", .argumentParser], path: "Tools/airframe"
        ),
        .testTarget(name: "HouseTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "CompatibilityTests",
            dependencies: [
                "Airframe", "AirframeCore", "AirframeEncoding", "AirframeReachability", "AirframeSecurity",
                "AirframeSerialization", "AirframeTransport", "AirframeTestSupport", "airframe-reachability",
            ]
        ),
        .target(name: "AirframeTestSupport", path: "Tests/Support"),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "Airframe", "AirframeSocket", "AirframeMock", "AirframeConformance", "AirframeTestSupport",
                "airframe-cli",
            ]
        ),
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
        .executableTarget(
            name: "trust-probe",
            dependencies: ["AirframeSecurity", "AirframeCore", "AirframeTransport"],
            path: "Tests/Probes/Trust"
        ),
        .target(
            name: "NamespaceSupport",
            dependencies: ["AirframeReachability", "AirframeTestSupport"],
            path: "Tests/NamespaceSupport"
        ),
        .testTarget(
            name: "ConnectivityTests",
            dependencies: [
                "Airframe", "AirframeCore", "AirframeMock", "AirframeReachability", "AirframeSerialization",
                "AirframeTransport", "NamespaceSupport", "airframe-cli", .httpTypes,
            ]
        ),
        .testTarget(name: "TransportTests", dependencies: ["AirframeTransport", .httpTypes]),
        .testTarget(name: "LayersTests", dependencies: ["AirframeLayers", "AirframeTransport", .httpTypes]),
        .testTarget(
            name: "CoreTests",
            dependencies: ["AirframeCore", "AirframeTransport", "AirframeLayers", .httpTypes]
        ),
        .testTarget(
            name: "CompressionTests",
            dependencies: ["AirframeCompression", "AirframeTransport", "AirframeTestSupport", .httpTypes]
        ),
        .testTarget(
            name: "TransferTests",
            dependencies: [
                "Airframe", "AirframeSocket", "AirframeMock", "AirframeConformance", "AirframeTestSupport",
                "transfer-probe", .httpTypes,
            ]
        ),
        .executableTarget(
            name: "transfer-probe", dependencies: ["Airframe", "AirframeSocket"], path: "Tests/Probes/Transfer"
        ),
        .testTarget(
            name: "EncodingTests",
            dependencies: [
                "AirframeEncoding", "AirframeCore", "AirframeCompression", "AirframeTransport", "AirframeSerialization",
                "AirframeMock", "AirframeSocket", "AirframeTestSupport", .httpTypes,
            ],
            exclude: ["Peers"]
        ),
        .testTarget(
            name: "PipelineTests",
            dependencies: [
                "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeLayers", "AirframeTestSupport",
                .httpTypes,
            ]
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
            dependencies: [
                "AirframeAuthentication", "AirframeLayers", "AirframeTransport", "AirframeTestSupport", .httpTypes,
            ]
        ),
        .testTarget(
            name: "CookiesTests",
            dependencies: [
                "AirframeCookies", "AirframeAuthentication", "AirframeLayers", "AirframeTransport", "Airframe",
                "AirframeTestSupport", "AirframeMock", "AirframeSocket", "AirframeConformance", "airframe-cli",
                "cookie-probe", .httpTypes,
            ]
        ),
        .executableTarget(name: "cookie-probe", dependencies: ["AirframeCookies"], path: "Tests/Probes/Cookies"),
        .testTarget(name: "JSONTests", dependencies: ["AirframeJSON", "AirframeSerialization"]),
        .testTarget(
            name: "InterceptorTests",
            dependencies: [
                "AirframeCore", "AirframeSerialization", "AirframeMock", "AirframeTransport", "AirframeLayers",
                .httpTypes,
            ]
        ),
        .testTarget(
            name: "MockTests",
            dependencies: [
                "AirframeMock", "AirframeCore", "AirframeSerialization", "AirframeTransport", .httpTypes,
            ]
        ),
        .testTarget(
            name: "MetricsTests",
            dependencies: [
                "AirframeMetrics", "AirframeConformance", "AirframeCore", "AirframeCurl", "AirframeMock",
                "AirframeSerialization", "AirframeSocket", "AirframeTransport", .httpTypes, .coreMetrics,
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "TracingTests",
            dependencies: [
                "AirframeTracing", "Airframe", "AirframeConformance", "AirframeCore", "AirframeCurl", "AirframeLayers",
                "AirframeMock", "AirframeSerialization", "AirframeSocket", "AirframeTestSupport", "AirframeTransport",
                .httpTypes, .tracing,
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(
            name: "HARTests",
            dependencies: [
                "AirframeHAR", "AirframeLogging", "AirframeMock", "Airframe", "AirframeCore", "AirframeSerialization",
                "AirframeSocket", "AirframeLayers", "AirframeCompression", "AirframeTransport", "AirframeTestSupport",
                "har-probe", .httpTypes,
            ],
            exclude: ["Readers"]
        ),
        .executableTarget(
            name: "har-probe",
            dependencies: ["AirframeCore", "AirframeLogging", "AirframeMock", "AirframeSerialization"],
            path: "Tests/Probes/HAR"
        ),
        .testTarget(
            name: "LoggingTests",
            dependencies: [
                "AirframeLogging", "AirframeCore", "AirframeEncoding", "AirframeSerialization", "AirframeSocket",
                "AirframeAuthentication", "AirframeMock", "AirframeConformance", "AirframeTransport", .httpTypes, .log,
            ]
        ),
        .testTarget(
            name: "HTTP1Tests",
            dependencies: ["AirframeSocket", "AirframeTransport", .httpTypes],
            exclude: ["Corpus"]
        ),
        .testTarget(
            name: "SocketTests",
            dependencies: [
                "AirframeTransport", "AirframeSocket", "AirframeConformance", "AirframeTestSupport", .httpTypes,
            ]
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "AirframeConformance", "AirframeCurl", "AirframeMock", "AirframeLayers", "AirframeAuthentication",
                "AirframeCompression", "AirframeTransport", .httpTypes, "AirframeSocket",
            ]
        ),
        .testTarget(
            name: "CurlTests",
            dependencies: ["AirframeTransport", "AirframeCurl", "AirframeConformance", .httpTypes]
        ),
    ],
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

/// The modules that every request passes through. Their asynchronous functions run where their caller does: without this
/// each call and each return takes a look at the executor, which was a tenth of what a small request cost.
for target in package.targets
where [
    "AirframeTransport", "AirframeLayers", "AirframeCompression", "AirframeAuthentication", "AirframeCookies",
    "AirframeCore", "AirframeSerialization", "AirframeCurl", "AirframeSocket",
].contains(target.name) {
    target.swiftSettings?.append(.enableUpcomingFeature("NonisolatedNonsendingByDefault"))
}

extension Target.Dependency {
    static let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
    static let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
    static let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
    static let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
    static let log = Target.Dependency.product(name: "Logging", package: "swift-log")
}
