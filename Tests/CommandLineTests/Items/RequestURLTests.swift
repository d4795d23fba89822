import AirframeCommandLine
import AirframeTransport
import Testing

@Suite("URLs and proxies as they are typed", .timeLimit(.minutes(1)))
struct RequestURLTests {
    @Test(
        "a scheme is added where there is none",
        arguments: [
            ("https://api.test/a", "https://api.test/a"), ("api.test/a", "https://api.test/a"),
            ("api.test:8443", "https://api.test:8443"), ("localhost:8080/x", "http://localhost:8080/x"),
            ("127.0.0.1:80", "http://127.0.0.1:80"), ("[::1]:80/", "http://[::1]:80/"),
            (":8080/x", "http://localhost:8080/x"), (":/x", "http://localhost/x"), ("data:,a", "data:,a"),
            ("app.localhost", "http://app.localhost"), ("ftp://h/", "ftp://h/"),
            ("ht!tp://h/", "ht!tp://h/"), ("api.test/?u=http://h", "https://api.test/?u=http://h"),
        ]
    )
    func schemes(typed: String, url: String) { #expect(RequestURL.text(typed) == url) }

    @Test(
        "items of the query go before the fragment",
        arguments: [
            ("https://h/", "https://h/?a=1%202"), ("https://h/?b", "https://h/?b&a=1%202"),
            ("https://h/?", "https://h/?a=1%202"), ("https://h/#f", "https://h/?a=1%202#f"),
        ]
    )
    func queries(typed: String, url: String) {
        #expect(RequestURL.text(typed, query: [.init("a", "1 2")]) == url)
    }

    @Test("a name from a URL stays in its directory")
    func fileNames() {
        #expect(RequestURL.fileName("a b.txt") == "a b.txt" && RequestURL.fileName("..a") == "..a")
        for name in [nil, "", "/", ".", "..", "../a", "a/b", "a/\u{301}b", "a\0b"] {
            #expect(RequestURL.fileName(name) == nil, "\(name ?? "nil")")
        }
    }

    @Test("a proxy has its scheme, credential and port")
    func proxies() throws {
        #expect(try ProxyArgument.policy("none") == .none)
        #expect(try ProxyArgument.policy("proxy.test") == .proxy(Proxy(host: "proxy.test", port: 1080)))
        #expect(
            try ProxyArgument.policy("https://h") == .proxy(Proxy(kind: .https, host: "h", port: 443)))
        #expect(try ProxyArgument.policy("socks://h") == .proxy(Proxy(kind: .socks4, host: "h", port: 1080)))
        let credential = Proxy.Credential(username: "u", password: "p")
        #expect(
            try ProxyArgument.policy("socks5h://u:p@h:9", excluded: "a.test, b.test")
                == .proxy(
                    Proxy(
                        kind: .socks5h, host: "h", port: 9, credential: credential, excludedHosts: ["a.test", "b.test"])
                ))
        #expect(throws: ItemError.self) { try ProxyArgument.policy("ftp://h") }
        #expect(throws: ItemError.self) { try ProxyArgument.policy("http://") }
    }

    @Test("a credential and excluded hosts apply to the proxies of the environment")
    func environment() throws {
        let variables = ["http_proxy": "a.test:1", "ALL_PROXY": "socks5://u:p@b.test", "NO_PROXY": "c.test"]
        func policy(_ credential: String?, _ excluded: String?) throws -> ProxyPolicy {
            try ProxyArgument.environment(credential: credential, excluded: excluded, variables)
        }
        #expect(try policy(nil, nil) == .environment)
        let own = Proxy.Credential(username: "ada", password: "pw")
        #expect(
            try policy("ada:pw", nil)
                == .schemes(
                    http: .proxy(Proxy(host: "a.test", port: 1, credential: own, excludedHosts: ["c.test"])),
                    https: .proxy(
                        Proxy(
                            kind: .socks5, host: "b.test", port: 1080, credential: own, excludedHosts: ["c.test"]))))
        let given = Proxy.Credential(username: "u", password: "p")
        #expect(
            try policy(nil, "d.test")
                == .schemes(
                    http: .proxy(Proxy(host: "a.test", port: 1, excludedHosts: ["d.test"])),
                    https: .proxy(
                        Proxy(
                            kind: .socks5, host: "b.test", port: 1080, credential: given, excludedHosts: ["d.test"]))))
        #expect(
            try ProxyArgument.environment(credential: "a:b", excluded: nil, [:]) == .schemes(http: .none, https: .none))
        #expect(throws: ItemError.self) {
            try ProxyArgument.environment(credential: "a:b", excluded: nil, ["http_proxy": "http://"])
        }
    }

    @Test("an address for a host is as curl writes it")
    func overrides() throws {
        #expect(
            try ProxyArgument.resolveOverride("api.test:443:127.0.0.1,[::1]")
                == ResolveOverride(host: "api.test", port: 443, addresses: ["127.0.0.1", "::1"]))
        for text in ["api.test", "api.test:443", "api.test:x:1.2.3.4", "api.test:0:1.2.3.4"] {
            #expect(throws: ItemError.self, "\(text)") { try ProxyArgument.resolveOverride(text) }
        }
    }
}
