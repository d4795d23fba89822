import AirframeConfiguration
import AirframeCore
import AirframeTransport
import Foundation
import Testing

@Suite("Configurations from named values", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    @Test("every key sets its property")
    func keys() throws {
        let configuration = URLSessionConfiguration.default
        try configuration.apply(
            ConfigurationValues([
                "base.url": "https://api.test/v2", "user.agent": "test/1", "timeout.request": "1.5",
                "timeout.resource": "20", "timeout.attempts": "60", "connections.per.host": "4",
                "proxy": "http://user:pass@proxy.test:3128", "tls.minimum": "1.2", "tls.maximum": "TLS 1.3",
                "tls.roots": "/etc/roots.pem", "https.only": "yes", "cookies.send": "false", "local.urls": "0",
                "waits.for.connectivity": "TRUE", "rate.upload": "1000", "rate.download": " 2000 ",
                "body.limit": "4096",
            ]))
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

    static let proxies: [(text: String, policy: ProxyPolicy)] = [
        ("none", .none), ("Environment", .environment),
        ("socks5h://localhost:1080", .proxy(Proxy(kind: .socks5h, host: "localhost", port: 1080))),
        ("https://[::1]:443/", .proxy(Proxy(kind: .https, host: "::1", port: 443))),
    ]

    @Test("proxies are named by a word or a URL", arguments: proxies.indices)
    func proxy(index: Int) throws {
        let configuration = URLSessionConfiguration.default
        try configuration.apply(ConfigurationValues(["proxy": Self.proxies[index].text]))
        #expect(configuration.transportOptions.proxy == Self.proxies[index].policy)
    }

    @Test(
        "a value that is none of its kind is an error that names it, and nothing is changed",
        arguments: [
            ("base.url", "/v2"), ("timeout.request", "-1"), ("timeout.resource", "inf"), ("timeout.attempts", "soon"),
            ("connections.per.host", "0"), ("proxy", "ftp://proxy.test:1"), ("proxy", "http://proxy.test"),
            ("tls.minimum", "1.4"), ("https.only", "maybe"), ("rate.upload", "1.5"), ("body.limit", "1k"),
        ])
    func errors(key: String, value: String) throws {
        let configuration = URLSessionConfiguration.default
        let error = #expect(throws: ConfigurationValueError.self) {
            try configuration.apply(ConfigurationValues([key: value, "user.agent": "changed"]))
        }
        #expect(error?.key == key && error?.value == value)
        #expect(error?.description.contains(key) == true && error?.description.contains(value) == true)
        #expect(configuration.headers["User-Agent"] == nil)
    }

    @Test("an error hides a password")
    func secrets() {
        let error = #expect(throws: ConfigurationValueError.self) {
            try URLSessionConfiguration.default.apply(ConfigurationValues(["proxy": "ftp://user:secret1@proxy.test:1"]))
        }
        #expect(error?.description.contains("secret1") == false)
    }

    @Test("the environment's names are in upper case, empty values are none, and others fall back")
    func environment() throws {
        let variables = ["API_TIMEOUT_REQUEST": "7", "API_USER_AGENT": " ", "OTHER_USER_AGENT": "other"]
        let values = ConfigurationValues.environment(prefix: "API", in: variables)
        #expect(values["timeout.request"] == "7" && values["user.agent"] == nil && values["proxy"] == nil)
        let both = ConfigurationValues { variables["API_\($0.uppercased().replacing(".", with: "_"))"] }
            .merging(fallback: ConfigurationValues(["proxy": "none"]))
        #expect(both["timeout.request"] == "7" && both["proxy"] == "none")
    }
}
