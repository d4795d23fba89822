import AirframeTransport
import AirframeWire
import Testing

@Suite("Proxies of the environment", .timeLimit(.minutes(1)))
struct ProxyRouteTests {
    @Test(
        "no_proxy by curl's rules",
        arguments: [
            ("a.test", "a.test", true), ("b.a.test", "a.test", true), ("ba.test", "a.test", false),
            ("b.a.test", ".a.test", true), ("a.test", ".a.test", true), ("A.TEST", "a.test.", true),
            ("a.test", "*", true),
            ("a.test", "", false), ("a.test", "b.test, a.test", true), ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "127.0.0.0/8", true), ("128.0.0.1", "127.0.0.0/8", false), ("10.1.2.3", "10.1.2.0/23", true),
            ("10.1.4.3", "10.1.2.0/23", false), ("::1", "::1", true), ("::1", "[::1]", true),
            ("fe80::1", "fe80::/10", true),
            ("127.0.0.1", "0.0.1", false), ("10.0.0.1", "10.0.0.0/33", false), ("10.0.0.1", "10.0.0.0/x", false),
        ]
    )
    func noProxy(host: String, rules: String, isExcluded: Bool) {
        #expect(NoProxyRules(rules).contains(host) == isExcluded)
    }

    @Test(
        "the environment by curl's rules",
        arguments: [
            (["http_proxy": "p.test:3128"], "http", "http://p.test:3128"),
            (["HTTP_PROXY": "p.test:3128"], "http", nil),
            (["https_proxy": "http://p.test"], "https", "http://p.test:1080"),
            (["HTTPS_PROXY": "https://p.test"], "https", "https://p.test:443"),
            (["all_proxy": "socks5h://p.test:9050"], "http", "socks5h://p.test:9050"),
            (["ALL_PROXY": "socks://p.test:9050"], "https", "socks4://p.test:9050"),
            (["http_proxy": "p.test:1", "no_proxy": "a.test"], "http", nil),
            (["http_proxy": "p.test:1", "NO_PROXY": "b.test"], "http", "http://p.test:1"),
            (["http_proxy": "p.test:1", "no_proxy": "", "NO_PROXY": "a.test"], "http", nil),
            (["http_proxy": "p.test:1", "no_proxy": "b.test", "NO_PROXY": "a.test"], "http", "http://p.test:1"),
            (["http_proxy": "", "all_proxy": "q.test:2"], "http", "http://q.test:2"),
            (["https_proxy": "http://[::1]:8080/"], "https", "http://::1:8080"),
        ] as [([String: String], String, String?)]
    )
    func environment(variables: [String: String], scheme: String, expected: String?) throws {
        let environment = EnvironmentProxies { variables[$0] }
        let proxy = try environment.proxy(for: Origin(scheme: scheme, host: "a.test"))
        #expect(proxy.map { "\($0.kind.rawValue)://\($0.host):\($0.port)" } == expected)
    }

    @Test("an explicit proxy is used for all hosts but the excluded ones")
    func explicit() throws {
        var proxy = Proxy(kind: .http, host: "p.test", port: 3128)
        proxy.excludedHosts = ["b.test, 10.0.0.0/8"]
        let environment = EnvironmentProxies { $0 == "http_proxy" ? "http://environment.test:1" : nil }
        let route = { (host: String, policy: ProxyPolicy) in
            try ProxyRoute.route(to: Origin(scheme: "http", host: host), by: policy, environment).proxy?.host
        }
        #expect(try route("a.test", .proxy(proxy)) == "p.test")
        #expect(try route("sub.b.test", .proxy(proxy)) == nil)
        #expect(try route("10.9.9.9", .proxy(proxy)) == nil)
        #expect(try route("a.test", .none) == nil)
        #expect(try route("a.test", .environment) == "environment.test")
    }

    @Test(
        "an HTTP proxy forwards http requests and tunnels https ones; a SOCKS proxy does neither",
        arguments: [
            (Proxy.Kind.http, "http", true, false), (.http, "https", false, true), (.https, "http", true, false),
            (.socks5, "http", false, false), (.socks5, "https", false, false),
        ]
    )
    func forwarding(kind: Proxy.Kind, scheme: String, forwards: Bool, tunnels: Bool) {
        let route = ProxyRoute.through(Proxy(kind: kind, host: "p.test", port: 1))
        let origin = Origin(scheme: scheme, host: "a.test")
        #expect(route.forwards(to: origin) == forwards)
        #expect(route.tunnels(to: origin) == tunnels)
        #expect(route.resolvedHost(for: origin) == "p.test")
        #expect(ProxyRoute.direct.resolvedHost(for: origin) == "a.test")
    }

    @Test("credentials in a proxy's URL are percent-decoded, and errors do not show them")
    func credentials() throws {
        let proxy = try #require(Proxy(url: "http://us%65r:p%40ss%3a@p.test:3128"))
        #expect(proxy.credential == Proxy.Credential(username: "user", password: "p@ss:"))
        let environment = EnvironmentProxies { $0 == "http_proxy" ? "gopher://user:secret@p.test" : nil }
        let error = #expect(throws: TransportError.self) {
            try environment.proxy(for: Origin(scheme: "http", host: "a.test"))
        }
        #expect(error?.message.contains("http_proxy") == true)
        #expect(error?.message.contains("secret") == false)
    }
}
