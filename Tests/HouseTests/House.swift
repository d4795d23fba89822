import Testing

/// One module of the house: its folder, and what its files may import.
struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    /// The folder, from the root of the repository.
    let folder: String
    /// Modules of the house, of packages, of the system, and wrappers of C libraries.
    let mayImport: Set<String>
    /// Whether only modules of the house import it, so that it is not a product.
    let isInternal: Bool

    init(_ name: String, in folder: String, isInternal: Bool = false, imports: Set<String>...) {
        self.name = name
        self.folder = folder
        self.isInternal = isInternal
        mayImport = imports.reduce([]) { $0.union($1) }
    }

    var testDescription: String { name }
}

/// The house as Docs/Architecture.md draws it. A new module is a new row here.
enum House {
    static let modules: [Module] = [
        // No product: AirframeTransport exports its symbols.
        Module("AirframeRedaction", in: "Modules/Redaction", isInternal: true, imports: ["HTTPTypes"]),
        Module(
            "AirframeTransport",
            in: "Modules/Transport",
            imports: essentials,
            ["AirframeRedaction", "HTTPTypes"]
        ),
        Module("AirframeLayers", in: "Modules/Layers", imports: essentials, ["AirframeTransport", "HTTPTypes"]),
        Module(
            "AirframeCore",
            in: "Modules/Core",
            imports: foundation,
            ["AirframeTransport", "AirframeLayers", "HTTPTypes"]
        ),
        Module(
            "AirframeAuthentication",
            in: "Modules/Authentication",
            imports: essentials,
            ["AirframeTransport", "HTTPTypes", "COpenSSL"]
        ),
        // The grants of OAuth, and the interceptor that puts tokens into requests. Core has interceptors.
        Module(
            "AirframeOAuth",
            in: "Modules/OAuth",
            imports: foundation,
            ["AirframeAuthentication", "AirframeCore", "AirframeTransport", "HTTPTypes"]
        ),
        Module(
            "AirframeCookies",
            in: "Modules/Cookies",
            imports: essentials,
            ["AirframeTransport", "AirframeLayers", "HTTPTypes", "CPSL"]
        ),
        Module(
            "AirframeCache",
            in: "Modules/Cache",
            imports: essentials,
            ["AirframeTransport", "AirframeLayers", "HTTPTypes"]
        ),
        // With Core for the seam of refreshed credentials.
        Module(
            "AirframeRedis",
            in: "Modules/Redis",
            imports: essentials,
            ["AirframeTransport", "AirframeCore", "AirframeCache", "CHiredis"]
        ),
        // Without any Foundation: a monitor must start in milliseconds. Dispatch is in its API.
        Module(
            "AirframeReachability",
            in: "Modules/Reachability",
            imports: ["Synchronization", "Glibc", "Dispatch", "CNetlink"]
        ),
        // Without an engine: offline retry over sockets must not load libcurl.
        Module(
            "AirframeConnectivity",
            in: "Modules/Connectivity",
            imports: foundation,
            ["AirframeCore", "AirframeTransport", "AirframeReachability", "HTTPTypes"]
        ),
        Module(
            "AirframeCompression",
            in: "Modules/Compression",
            imports: essentials,
            ["AirframeTransport", "HTTPTypes", "CZlib", "CBrotli", "CZstd"]
        ),
        Module("AirframeJSON", in: "Modules/JSON", imports: essentials),
        Module(
            "AirframeEncoding",
            in: "Modules/Encoding",
            imports: foundation,
            ["AirframeCore", "AirframeCompression", "AirframeJSON", "AirframeTransport", "HTTPTypes"]
        ),
        // What the engines and AirframeSecurity share over libssl and libcrypto.
        Module(
            "AirframeOpenSSL",
            in: "Modules/OpenSSL",
            isInternal: true,
            imports: essentials,
            ["AirframeTransport", "COpenSSL"]
        ),
        // With Core, because evaluators throw AFError and are found under `.af`.
        Module(
            "AirframeSecurity",
            in: "Modules/Security",
            imports: foundation,
            ["AirframeTransport", "AirframeCore", "AirframeOpenSSL", "HTTPTypes", "COpenSSL"]
        ),
        Module(
            "AirframeSerialization",
            in: "Modules/Serialization",
            imports: foundation,
            ["AirframeCore", "AirframeJSON", "AirframeTransport"]
        ),
        // The rules of RFC 6455 alone: AirframeMock plays servers with them, and must load no C library.
        Module(
            "AirframeWebSocketProtocol",
            in: "Modules/WebSocketProtocol",
            isInternal: true,
            imports: ["FoundationEssentials", "Glibc"]
        ),
        // With Serialization for its decoders and streams. Without Encoding, which links brotli and zstd.
        Module(
            "AirframeWebSocket",
            in: "Modules/WebSocket",
            imports: foundation,
            [
                "AirframeCore", "AirframeSerialization", "AirframeTransport", "AirframeWebSocketProtocol", "CZlib",
                "HTTPTypes",
            ]
        ),
        Module(
            "AirframeConfiguration",
            in: "Modules/Configuration",
            imports: foundation,
            ["AirframeTransport", "AirframeCore", "Configuration"]
        ),
        // The one module that may import FoundationNetworking: it converts its types.
        Module(
            "AirframeFoundation",
            in: "Modules/Foundation",
            imports: foundation,
            ["AirframeTransport", "AirframeCore", "AirframeCookies", "HTTPTypes", "FoundationNetworking"]
        ),
        // Hashes and structured fields are Authentication's.
        Module(
            "AirframeTransfers",
            in: "Modules/Transfers",
            imports: foundation,
            ["AirframeCore", "AirframeAuthentication", "AirframeTransport", "CSQLite", "HTTPTypes"]
        ),
        // Two back ends, each a separate product.
        // Apple's names over our types, for pinning code.
        Module(
            "AirframeAppleNames",
            in: "Modules/AppleNames",
            imports: foundation,
            ["AirframeTransport", "AirframeCore", "AirframeReachability", "AirframeSecurity"]
        ),
        Module(
            "AirframeMetrics",
            in: "Modules/Metrics",
            imports: foundation,
            ["AirframeCore", "AirframeTransport", "HTTPTypes", "CoreMetrics"]
        ),
        Module(
            "AirframeTracing",
            in: "Modules/Tracing",
            imports: foundation,
            ["AirframeCore", "AirframeTransport", "HTTPTypes", "Tracing"]
        ),
        // What the engines share of HTTP/1.1 on the wire, proxies, addresses and polling.
        Module(
            "AirframeWire",
            in: "Modules/Wire",
            isInternal: true,
            imports: essentials,
            ["AirframeTransport", "HTTPTypes"]
        ),
        Module(
            "AirframeCurl",
            in: "Transports/Curl",
            imports: essentials,
            [
                "AirframeTransport", "AirframeOpenSSL", "AirframeWire", "HTTPTypes", "CCurl", "CCurlHTTP2", "COpenSSL",
            ]
        ),
        Module(
            "AirframeSocket",
            in: "Transports/Socket",
            imports: essentials,
            ["AirframeTransport", "AirframeOpenSSL", "AirframeWire", "HTTPTypes", "COpenSSL", "CSocket", "CNGHTTP2"]
        ),
        // The format of recordings: for AirframeLogging, which writes them, and AirframeMock, which must stay small.
        Module("AirframeHAR", in: "Modules/HAR", imports: essentials, ["AirframeTransport", "HTTPTypes"]),
        Module(
            "AirframeLogging",
            in: "Modules/Logging",
            imports: foundation,
            ["AirframeCore", "AirframeTransport", "AirframeHAR", "HTTPTypes", "Logging"]
        ),
        Module(
            "AirframeInspection",
            in: "Modules/Inspection",
            imports: foundation,
            ["AirframeCore", "AirframeHAR", "AirframeLogging"]
        ),
        Module(
            "AirframeMock",
            in: "Transports/Mock",
            imports: essentials,
            ["AirframeTransport", "AirframeHAR", "AirframeWebSocketProtocol", "HTTPTypes"]
        ),
        Module(
            "AirframeConformance",
            in: "Transports/Conformance",
            imports: essentials,
            ["AirframeTransport", "HTTPTypes", "Testing"]
        ),
        Module(
            "Airframe",
            in: "Modules/Airframe",
            imports: foundation,
            [
                "AirframeTransport", "AirframeLayers", "AirframeCore", "AirframeCompression", "AirframeAuthentication",
                "AirframeEncoding", "AirframeJSON", "AirframeSerialization", "AirframeSecurity", "AirframeSocket",
                "AirframeReachability", "AirframeLogging", "AirframeConnectivity", "AirframeCookies",
                "AirframeWebSocket", "AirframeCache", "AirframeTransfers", "AirframeInspection", "HTTPTypes",
            ]
        ),
        // The names of Alamofire 3 and 4. Exports the umbrella.
        Module(
            "AirframeLegacy",
            in: "Modules/Legacy",
            imports: foundation,
            ["Airframe", "AirframeCore", "AirframeEncoding", "AirframeSecurity", "AirframeSerialization"]
        ),
    ]

    /// The imports of a module that must stay small: no `Foundation`, whose tables of Unicode data are 40 MB.
    private static let essentials: Set<String> = ["FoundationEssentials", "Synchronization", "Glibc", "Musl", "Darwin"]

    private static let foundation: Set<String> = essentials.union(["Foundation", "Dispatch"])

    /// The modules of the system, which no manifest declares.
    static let system: Set<String> = foundation.union(["Testing", "FoundationNetworking"])
}
