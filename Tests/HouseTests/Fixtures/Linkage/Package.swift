// swift-tools-version: 6.2
import PackageDescription

// Small programs, one a row of LinkageTests. The test looks at what they load; it does not start them.

let package = Package(
    name: "linkage",
    dependencies: [
        .package(name: "airframe", path: "../../../.."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0", traits: []),
    ],
    targets: [
        program("transport-alone", ["AirframeTransport", "AirframeLayers"]),
        program("core-and-serialization", ["AirframeTransport", "AirframeCore", "AirframeSerialization"]),
        program("curl-alone", ["AirframeTransport", "AirframeCurl"]),
        program("mock-alone", ["AirframeCore", "AirframeMock", "AirframeSerialization"]),
        // Without swift-http-types, which links FoundationEssentials.
        .executableTarget(
            name: "reachability-alone",
            dependencies: [.product(name: "AirframeReachability", package: "airframe")]
        ),
        program("socket-alone", ["AirframeTransport", "AirframeSocket"]),
        program("compression-alone", ["AirframeTransport", "AirframeCompression"]),
        program("cookies-alone", ["AirframeCookies"]),
        program("redis-alone", ["AirframeCache", "AirframeRedis"]),
        program("security-alone", ["AirframeSecurity", "AirframeCore"]),
        program("oauth-alone", ["AirframeOAuth"]),
        program("connectivity-alone", ["AirframeTransport", "AirframeCore", "AirframeConnectivity"]),
        program("transfers-alone", ["AirframeTransport", "AirframeCore", "AirframeTransfers"]),
        program("har-alone", ["AirframeHAR"]),
        program("metrics-alone", ["AirframeCore", "AirframeMetrics"]),
        program("tracing-alone", ["AirframeCore", "AirframeTracing"]),
        program("logging-alone", ["AirframeTransport", "AirframeCore", "AirframeLogging", "AirframeSerialization"]),
        program(
            "inspection-alone", ["AirframeTransport", "AirframeCore", "AirframeInspection", "AirframeSerialization"]),
        program("foundation-alone", ["AirframeFoundation", "AirframeCore"]),
        .executableTarget(
            name: "configuration-alone",
            dependencies: [
                .product(name: "AirframeConfiguration", package: "airframe"),
                .product(name: "AirframeCore", package: "airframe"),
                .product(name: "Configuration", package: "swift-configuration"),
            ]
        ),
        program("everything", ["Airframe"]),
    ],
    swiftLanguageModes: [.v6]
)

func program(_ name: String, _ products: [String]) -> Target {
    .executableTarget(
        name: name,
        dependencies: products.map { .product(name: $0, package: "airframe") }
            + [.product(name: "HTTPTypes", package: "swift-http-types")]
    )
}
