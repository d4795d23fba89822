import AirframeConfiguration
import AirframeCore
import AirframeTransport
import Configuration
import Foundation
import Testing

@Suite("Session configurations from swift-configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    @Test("every key sets its property, from environment variables")
    func keys() throws {
        let variables = [
            "API_BASE_URL": "https://api.test/v2", "API_USER_AGENT": "test/1", "API_TIMEOUT_REQUEST": "1.5",
            "API_TIMEOUT_RESOURCE": "20", "API_TIMEOUT_ATTEMPTS": "60", "API_CONNECTIONS_PER_HOST": "4",
            "API_PROXY_URL": "http://proxy.test:3128", "API_PROXY_USERNAME": "user", "API_PROXY_PASSWORD": "pass",
            "API_TLS_MINIMUM": "1.2", "API_TLS_MAXIMUM": "TLS 1.3", "API_TLS_ROOTS": "/etc/roots.pem",
            "API_HTTPS_ONLY": "yes", "API_COOKIES_SEND": "false", "API_LOCAL_URLS": "0",
            "API_WAITS_FOR_CONNECTIVITY": "TRUE", "API_RATE_UPLOAD": "1000", "API_RATE_DOWNLOAD": " 2000 ",
            "API_BODY_LIMIT": "4096",
        ]
        #expect(variables.count == SessionConfigurationKey.allCases.count, "a key has no variable here")
        let configuration = URLSessionConfiguration.default
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        try configuration.apply(reader.scoped(to: "api"))
        #expect(configuration.baseURL?.absoluteString == "https://api.test/v2")
        #expect(configuration.headers["User-Agent"] == "test/1")
        #expect(configuration.timeoutIntervalForRequest == 1.5)
        #expect(configuration.timeoutIntervalForResource == 20)
        #expect(configuration.timeoutIntervalForAllAttempts == 60)
        #expect(configuration.httpMaximumConnectionsPerHost == 4)
        let credential = Proxy.Credential(username: "user", password: "pass")
        let proxy = Proxy(host: "proxy.test", port: 3128, credential: credential)
        #expect(configuration.transportOptions.proxy == .proxy(proxy))
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .tls1_2)
        #expect(configuration.tlsMaximumSupportedProtocolVersion == .tls1_3)
        #expect(configuration.transportOptions.tls.roots == .pemFile(path: "/etc/roots.pem"))
        #expect(configuration.httpsOnly && !configuration.httpShouldSetCookies && !configuration.allowsLocalURLs)
        #expect(configuration.waitsForConnectivity)
        #expect(configuration.transferRates == TransferRates(upload: 1000, download: 2000))
        #expect(configuration.maximumBufferedBodySize == 4096)
    }

    @Test("typed values set their properties, and a version may be a number")
    func typedValues() throws {
        let configuration = URLSessionConfiguration.default
        try configuration.apply(
            reader([
                "timeout.request": 1.5, "connectionsPerHost": 4, "httpsOnly": true, "tls.minimum": 1.2,
                "rate.upload": 1000, "timeout.resource": 20,
            ]))
        #expect(configuration.timeoutIntervalForRequest == 1.5 && configuration.timeoutIntervalForResource == 20)
        #expect(configuration.httpMaximumConnectionsPerHost == 4 && configuration.httpsOnly)
        #expect(configuration.tlsMinimumSupportedProtocolVersion == .tls1_2)
        #expect(configuration.transferRates == TransferRates(upload: 1000))
    }

    static let proxies: [(text: String, policy: ProxyPolicy)] = [
        ("none", .none), ("Environment", .environment),
        ("socks5h://localhost:1080", .proxy(Proxy(kind: .socks5h, host: "localhost", port: 1080))),
        ("https://[::1]:443/", .proxy(Proxy(kind: .https, host: "::1", port: 443))),
        (
            "http://user:pass@proxy.test:3128",
            .proxy(Proxy(host: "proxy.test", port: 3128, credential: .init(username: "user", password: "pass")))
        ),
    ]

    @Test("a word or a URL names the proxy", arguments: proxies.indices)
    func proxy(index: Int) throws {
        let configuration = URLSessionConfiguration.default
        try configuration.apply(reader(["proxy.url": ConfigValue(.string(Self.proxies[index].text), isSecret: false)]))
        #expect(configuration.transportOptions.proxy == Self.proxies[index].policy)
    }

    @Test(
        "a value that its key does not accept is an error that names both, and no property changes",
        arguments: [
            ("baseURL", "/v2"), ("timeout.request", "-1"), ("timeout.resource", "inf"), ("timeout.attempts", "soon"),
            ("connectionsPerHost", "0"), ("proxy.url", "ftp://proxy.test:1"), ("proxy.url", "http://proxy.test"),
            ("tls.minimum", "1.4"), ("httpsOnly", "maybe"), ("rate.upload", "1.5"), ("body.limit", "1k"),
            ("proxy.username", "user"),
        ])
    func errors(key: String, value: String) throws {
        let configuration = URLSessionConfiguration.default
        let error = #expect(throws: ConfigurationValueError.self) {
            try configuration.apply(
                reader([key: ConfigValue(.string(value), isSecret: false), "userAgent": "changed"]))
        }
        #expect(error?.key.rawValue == key && error?.value == value)
        #expect(error?.description.contains(key) == true && error?.description.contains(value) == true)
        #expect(configuration.headers["User-Agent"] == nil)
    }

    @Test(
        "a value of another type than its key's is an error, not a missing value",
        arguments: [
            ("timeout.request", ConfigContent.bool(true), "true"), ("connectionsPerHost", .double(1.5), "1.5"),
            ("httpsOnly", .int(7), "7"), ("baseURL", .int(7), "7"), ("body.limit", .stringArray(["1", "2"]), "1,2"),
            ("timeout.resource", .double(-1), "-1.0"),
        ])
    func otherTypes(key: String, content: ConfigContent, value: String) {
        let error = #expect(throws: ConfigurationValueError.self) {
            try URLSessionConfiguration.default.apply(reader([key: ConfigValue(content, isSecret: false)]))
        }
        #expect(error?.key.rawValue == key && error?.value == value)
    }

    @Test("an error hides a password")
    func passwordsInErrors() {
        let secrets: [[AbsoluteConfigKey: ConfigValue]] = [
            ["proxy.url": "ftp://user:secret1@proxy.test:1"], ["proxy.password": "secret1"],
            ["proxy.password": ConfigValue(.stringArray(["secret1", "secret2"]), isSecret: false)],
        ]
        for values in secrets {
            let error = #expect(throws: ConfigurationValueError.self) {
                try URLSessionConfiguration.default.apply(reader(values))
            }
            #expect(error.map { String(reflecting: $0) + $0.description + $0.value }?.contains("secret1") == false)
        }
    }

    @Test("access reporters see that the proxy's URL and password are secret, and no other value is")
    func secretsInAccessReports() throws {
        let log = AccessLog()
        let values: [AbsoluteConfigKey: ConfigValue] = [
            "proxy.url": "http://proxy.test:1", "proxy.username": "user", "proxy.password": "pass", "userAgent": "test",
            "timeout.request": 5,
        ]
        let reader = ConfigReader(provider: InMemoryProvider(values: values), accessReporter: log)
        try URLSessionConfiguration.default.apply(reader)
        #expect(log.keys(secret: true) == ["proxy.url", "proxy.password"])
        #expect(log.keys(secret: false) == ["proxy.username", "userAgent", "timeout.request"])
    }

    @Test("an empty value counts as missing, and an earlier provider takes precedence")
    func precedence() throws {
        let variables = ["TIMEOUT_REQUEST": "7", "USER_AGENT": " "]
        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: variables),
            InMemoryProvider(values: ["timeout.request": 9, "proxy.url": "none"]),
        ])
        let configuration = URLSessionConfiguration.default
        try configuration.apply(reader)
        #expect(configuration.timeoutIntervalForRequest == 7)
        #expect(configuration.headers["User-Agent"] == nil)
        #expect(configuration.transportOptions.proxy == ProxyPolicy.none)
    }

    @Test("a snapshot of a provider that changes is applied as it was")
    func snapshots() throws {
        let provider = MutableInMemoryProvider(initialValues: ["timeout.request": 7])
        let snapshot = ConfigReader(provider: provider).snapshot()
        provider.setValue(9, forKey: "timeout.request")
        let configuration = URLSessionConfiguration.default
        try configuration.apply(snapshot)
        #expect(configuration.timeoutIntervalForRequest == 7)
        try configuration.apply(ConfigReader(provider: provider))
        #expect(configuration.timeoutIntervalForRequest == 9)
    }

    @Test("the README's table lists every key and its environment variable")
    func table() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Modules/Configuration")
        let rows = try String(contentsOf: readme.appending(path: "README.md"), encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `") }
        for key in SessionConfigurationKey.allCases {
            #expect(rows.contains { $0.contains("`\(key.rawValue)`") }, "\(key.rawValue) has no row")
        }
        #expect(rows.count == SessionConfigurationKey.allCases.count)
    }

    private func reader(_ values: [AbsoluteConfigKey: ConfigValue]) -> ConfigReader {
        ConfigReader(provider: InMemoryProvider(values: values))
    }

    private func reader(_ values: [String: ConfigValue]) -> ConfigReader {
        let pairs = values.map { (AbsoluteConfigKey(ConfigKey($0.key)), $0.value) }
        return reader(Dictionary(pairs) { first, _ in first })
    }
}
