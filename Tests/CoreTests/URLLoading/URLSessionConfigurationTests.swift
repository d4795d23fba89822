import AirframeCore
import AirframeTransport
import Foundation
import Testing

@Suite("URLSessionConfiguration", .timeLimit(.minutes(1)))
struct URLSessionConfigurationTests {
    @Test("is a new object each time")
    func instances() {
        let first = URLSessionConfiguration.default
        first.timeoutIntervalForRequest = 5
        #expect(URLSessionConfiguration.default.timeoutIntervalForRequest == 60)
        // Foundation has 6.
        #expect(URLSessionConfiguration.default.httpMaximumConnectionsPerHost == .max)
        #expect(URLSessionConfiguration.default !== URLSessionConfiguration.default)
    }

    @Test("sends the default headers under .af and none otherwise")
    func headers() {
        #expect(URLSessionConfiguration.default.headers.isEmpty)
        #expect(URLSessionConfiguration.default.httpAdditionalHeaders == nil)
        #expect(URLSessionConfiguration.af.default.headers == .default)
        #expect(URLSessionConfiguration.af.ephemeral.headers == .default)
    }

    @Test("has its headers as a dictionary")
    func additionalHeaders() {
        let configuration = URLSessionConfiguration.default
        configuration.httpAdditionalHeaders = ["B": "2", "A": 1]
        #expect(configuration.headers == ["A": "1", "B": "2"])
        configuration.headers.update(name: "a", value: "3")
        #expect(configuration.httpAdditionalHeaders?["a"] as? String == "3")
        configuration.httpAdditionalHeaders = nil
        #expect(configuration.headers.isEmpty)
    }

    @Test("is copied with all values, and the copy is independent")
    func copy() {
        let original = URLSessionConfiguration.af.default
        original.timeoutIntervalForResource = 9
        let copy = original.copy()
        original.timeoutIntervalForResource = 10
        original.headers = [:]
        #expect(copy.timeoutIntervalForResource == 9)
        #expect(copy.headers == .default)
    }

    @Test("becomes options: deadline, TLS versions, proxy, with transportOptions taking precedence")
    func options() {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.exchangeOptions == TransportOptions())
        configuration.timeoutIntervalForResource = 30
        configuration.tlsMinimumSupportedProtocolVersion = .tls1_3
        configuration.transportOptions.networkInterface = "lo"
        #expect(configuration.exchangeOptions.deadline == .seconds(30))
        #expect(configuration.exchangeOptions.tls.minimumVersion == .tls1_3)
        #expect(configuration.exchangeOptions.networkInterface == "lo")
        configuration.transportOptions.deadline = .seconds(1)
        #expect(configuration.exchangeOptions.deadline == .seconds(1))
    }

    @Test("reads a proxy dictionary by CFNetwork's keys, with a proxy for each scheme")
    func proxies() {
        let configuration = URLSessionConfiguration.default
        #expect(configuration.exchangeOptions.proxy == nil)
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": "plain.test", "HTTPPort": 3128,
            "HTTPSEnable": true, "HTTPSProxy": "secure.test", "HTTPSPort": "3129",
            "ExceptionsList": ["*.local", "localhost"],
        ]
        let excluded = ["local", "localhost"]
        #expect(
            configuration.proxy(to: "http")
                == .proxy(Proxy(host: "plain.test", port: 3128, excludedHosts: excluded))
        )
        #expect(
            configuration.proxy(to: "https")
                == .proxy(Proxy(host: "secure.test", port: 3129, excludedHosts: excluded))
        )
        #expect(configuration.connectionProxyDictionary?["HTTPProxy"] as? String == "plain.test")
    }

    @Test("uses no proxy for an empty or disabled dictionary, and SOCKS for both schemes")
    func otherProxies() {
        let configuration = URLSessionConfiguration.default
        configuration.connectionProxyDictionary = [:]
        #expect(configuration.proxy(to: "https") == ProxyPolicy.none)
        configuration.connectionProxyDictionary = ["HTTPEnable": 0, "HTTPProxy": "p.test"]
        #expect(configuration.proxy(to: "http") == ProxyPolicy.none)
        configuration.connectionProxyDictionary = ["SOCKSProxy": "s.test"]
        let socks = ProxyPolicy.proxy(Proxy(kind: .socks5h, host: "s.test", port: 1080))
        #expect(configuration.proxy(to: "http") == socks)
        #expect(configuration.proxy(to: "https") == socks)
    }

    @Test("redacts the password in a credential's description")
    func credential() {
        let credential = URLCredential(user: "u", password: "s3cret", persistence: .forSession)
        #expect(!"\(credential)".contains("s3cret"))
        #expect(!String(reflecting: credential).contains("s3cret"))
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains("s3cret"))
    }
}

extension URLSessionConfiguration {
    /// The proxy policy for requests of a scheme.
    fileprivate func proxy(to scheme: String) -> ProxyPolicy? {
        exchangeOptions.proxy?.policy(for: Origin(scheme: scheme, host: "api.test"))
    }
}
