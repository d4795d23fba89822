import AirframeCookies
import AirframeTransport
import Foundation
import Testing

@Suite("Cookies: the rules of RFC 6265bis", .timeLimit(.minutes(1)))
struct RuleTests {
    @Test(
        "a field is parsed according to §5.6",
        arguments: [
            ("a=b", "a=b"), ("a", "a"), ("=a", "a"), (" a = b ; x", "a=b"), ("a=", "a="), ("a=b=c", "a=b=c"),
            ("a=\"b c\"", "a=\"b c\""), ("\ta\t=\tb\t", "a=b"), ("a=b\tc", "a=b\tc"), ("a=b, c=d", "a=b, c=d"),
            ("a=b;;;;", "a=b"), ("a=b; Path=x; path=/", "a=b"), ("a=b; Path=/; PATH=x", "a=b"),
            ("a=b; domain", "a=b"), ("a=b; domain=", "a=b"), ("a=b; max-age=x", "a=b"), ("a=b; max-age=-", "a=b"),
            ("a=b; max-age=99999999999999999999", "a=b"), ("a=b; expires=nonsense", "a=b"),
        ])
    func fields(field: String, expected: String) throws {
        let jar = CookieJar()
        #expect(try jar.receive(field, from: "https://a.test/") == [nil])
        #expect(try jar.field(for: "https://a.test/") == expected)
    }

    @Test(
        "a cookie that §5.7 does not allow is rejected, with the reason",
        arguments: [
            ("", .empty), ("=", .empty), (";a=b", .empty), ("a=b\u{1}", .controlCharacter),
            ("a=\u{7F}", .controlCharacter),
            ("a=b; domain=com", .publicSuffix), ("a=b; domain=co.uk", .publicSuffix),
            ("a=b; domain=b.test", .foreignDomain),
            ("a=b; domain=x.www.a.test", .foreignDomain), ("a=b; domain=ww.a.test", .foreignDomain),
            ("a=b; domain=ä.test", .malformedDomain), ("a=b; samesite=none", .sameSiteNoneNeedsSecure),
            ("__Secure-a=b", .prefix), ("__secure-a=b", .prefix), ("__Host-a=b; secure", .prefix),
            ("__Host-a=b; secure; path=/x", .prefix), ("__Host-a=b; secure; path=/; domain=a.test", .prefix),
            ("__HOST-a=b; path=/", .prefix), ("=__Host-a=b; secure; path=/", .prefix), ("__Secure-a; secure", .prefix),
        ] as [(String, CookieRejection.Reason)])
    func rejections(field: String, reason: CookieRejection.Reason) throws {
        let jar = CookieJar()
        #expect(try jar.receive(field, from: "https://www.a.test/") == [reason])
        #expect(jar.isEmpty)
    }

    @Test(
        "names with satisfied prefixes are stored",
        arguments: [
            "__Secure-a=b; secure", "__Host-a=b; secure; path=/", "__host-a=b; Secure; Path=/", "__Hos-a=b",
            "__Secure-a=b; secure; domain=a.test",
        ])
    func prefixes(field: String) throws {
        #expect(try CookieJar().receive(field, from: "https://www.a.test/x/y") == [nil])
    }

    @Test("4096 bytes of name and value are stored, one more is not; an attribute beyond 1024 bytes is ignored")
    func sizes() throws {
        let jar = CookieJar()
        let value = String(repeating: "v", count: 4095)
        #expect(
            try jar.receive("a=\(value)", "a=\(value)v", "=\(value)vv", from: "http://a.test/") == [
                nil, .tooLarge, .tooLarge,
            ])
        let path = "/" + String(repeating: "p", count: 1024)
        try jar.receive("long=1; path=\(path)", from: "http://b.test/")
        #expect(try jar.field(for: "http://b.test/") == "long=1")
    }

    @Test("a host-only cookie is sent to its host only, a domain cookie to subdomains too")
    func domains() throws {
        let jar = CookieJar()
        try jar.receive("h=1", "d=1; domain=.A.test", from: "http://a.test/")
        #expect(try jar.field(for: "http://a.test/") == "h=1; d=1")
        #expect(try jar.field(for: "http://x.y.a.test/") == "d=1")
        #expect(try jar.field(for: "http://ba.test/") == "")
        #expect(try jar.field(for: "http://test/") == "")
    }

    @Test("a public suffix, localhost and an IP address may set only host-only cookies")
    func suffixes() throws {
        for host in ["github.io", "localhost", "127.0.0.1", "[::1]"] {
            let jar = CookieJar()
            let domain = host.trimmingCharacters(in: ["[", "]"])
            #expect(try jar.receive("a=b; domain=\(domain)", from: "http://\(host)/") == [nil])
            #expect(jar.cookies.first?.isHostOnly == true)
            #expect(try jar.field(for: "http://\(host)/") == "a=b")
            #expect(try jar.field(for: "http://x.\(domain.contains(":") ? "test" : domain)/") == "")
        }
        #expect(try CookieJar().receive("a=b; domain=0.0.1", from: "http://127.0.0.1/") == [.foreignDomain])
    }

    @Test("Secure cookies are set and sent over TLS only; localhost counts as secure, its address does not")
    func secure() throws {
        let jar = CookieJar()
        #expect(try jar.receive("a=b; secure", from: "http://a.test/") == [.insecure])
        #expect(try jar.receive("a=b; secure", from: "https://a.test/") == [nil])
        #expect(try jar.field(for: "http://a.test/") == "")
        #expect(try jar.field(for: "wss://a.test/") == "a=b")
        #expect(try jar.receive("l=1; secure", from: "http://localhost:8080/") == [nil])
        #expect(try jar.field(for: "http://localhost/") == "l=1")
        #expect(try jar.receive("l=1; secure", from: "http://127.0.0.1/") == [.insecure])
        var rules = CookieRules()
        rules.trustsLocalhost = false
        #expect(try CookieJar(rules: rules).receive("l=1; secure", from: "http://localhost/") == [.insecure])
    }

    @Test("a cookie received without TLS neither replaces nor overlays a Secure one (§5.7)")
    func leaveSecureCookiesAlone() throws {
        let jar = CookieJar()
        try jar.receive("a=b; secure; path=/x", from: "https://www.a.test/")
        #expect(try jar.receive("a=c; path=/x/y", from: "http://www.a.test/") == [.wouldReplaceSecure])
        #expect(try jar.receive("a=c; path=/x; domain=a.test", from: "http://www.a.test/") == [.wouldReplaceSecure])
        #expect(try jar.receive("a=c; path=/x", from: "http://a.test/") == [.wouldReplaceSecure], "a domain above")
        #expect(try jar.receive("a=c; path=/x", from: "http://x.a.test/") == [nil], "another host of the domain")
        #expect(try jar.receive("a=c; path=/", from: "http://www.a.test/") == [nil], "a path above")
        #expect(try jar.receive("b=c; path=/x", from: "http://www.a.test/") == [nil], "another name")
        #expect(try jar.receive("a=d; path=/x", from: "https://www.a.test/") == [nil])
    }

    @Test("HttpOnly cookies cannot be read or replaced by other interfaces than HTTP (§5.7, §5.8.2)")
    func httpOnly() throws {
        let jar = CookieJar()
        try jar.receive("a=b; httponly", from: "http://a.test/")
        #expect(try jar.field(for: "http://a.test/") { $0.isHTTP = false } == "")
        #expect(try jar.receive("a=c", from: "http://a.test/") { $0.isHTTP = false } == [.httpOnly])
        #expect(try jar.receive("x=c; httponly", from: "http://a.test/") { $0.isHTTP = false } == [.httpOnly])
    }

    @Test("SameSite strict, lax, none and absent, for same-site requests, cross-site requests and navigations (§5.8.3)")
    func sameSite() throws {
        let jar = CookieJar()
        let fields = [
            "s=1; samesite=strict", "l=1; samesite=lax", "n=1; samesite=none; secure", "u=1", "x=1; samesite=?",
        ]
        for field in fields { #expect(try jar.receive(field, from: "https://www.a.test/") == [nil]) }
        let other = Origin(scheme: "https", host: "b.test")
        let all = "s=1; l=1; n=1; u=1; x=1"
        #expect(try jar.field(for: "https://www.a.test/") == all)
        #expect(
            try jar.field(for: "https://www.a.test/") { $0.firstParty = Origin(scheme: "https", host: "a.test") } == all
        )
        #expect(try jar.field(for: "https://www.a.test/") { $0.firstParty = other } == "n=1")
        #expect(
            try jar.field(for: "https://www.a.test/") { $0.firstParty = Origin(scheme: "http", host: "a.test") }
                == "n=1",
            "another scheme is another site")
        #expect(
            try jar.field(for: "https://www.a.test/") {
                $0.firstParty = other
                $0.isTopLevelNavigation = true
            } == "l=1; n=1; u=1; x=1")
        #expect(
            try jar.field(for: "https://www.a.test/") {
                $0.firstParty = other
                $0.isTopLevelNavigation = true
                $0.isSafe = false
            } == "n=1")
        #expect(try jar.receive("z=1", from: "https://www.a.test/") { $0.firstParty = other } == [.crossSite])
        #expect(
            try jar.receive("z=1; samesite=none; secure", from: "https://www.a.test/") { $0.firstParty = other } == [
                nil
            ])
    }

    @Test("Max-Age takes precedence over Expires, both are limited to 400 days, and a date in the past deletes")
    func lifetimes() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let jar = CookieJar()
        try jar.receive(
            "a=1; max-age=10; expires=Fri, 01 Jan 2038 00:00:00 GMT", "b=1; expires=Fri, 01 Jan 2038 00:00:00 GMT",
            "c=1; max-age=999999999", "d=1", from: "http://a.test/", at: now)
        let ends = try jar.cookies(for: cookieRequest("http://a.test/"), at: now).map {
            $0.expiresDate?.timeIntervalSince(now)
        }
        #expect(ends == [10, 400 * 86_400, 400 * 86_400, nil])
        #expect(try jar.field(for: "http://a.test/", at: now.addingTimeInterval(10)) == "b=1; c=1; d=1")
        for gone in ["b=; max-age=0", "c=; max-age=-1", "d=; expires=Thu, 01 Jan 1970 00:00:00 GMT"] {
            try jar.receive(gone, from: "http://a.test/", at: now)
        }
        #expect(try jar.field(for: "http://a.test/", at: now) == "a=1")
    }

    @Test("longer paths come first, then older cookies; a replaced cookie keeps its place (§5.8.3)")
    func order() throws {
        let jar = CookieJar()
        let now = Date()
        try jar.receive("a=1; path=/", from: "http://a.test/", at: now)
        try jar.receive("b=1; path=/x", "c=1; path=/x", from: "http://a.test/", at: now.addingTimeInterval(1))
        try jar.receive("d=1; path=/", from: "http://a.test/", at: now.addingTimeInterval(2))
        try jar.receive("b=2; path=/x", "a=2; path=/", from: "http://a.test/", at: now.addingTimeInterval(3))
        #expect(try jar.field(for: "http://a.test/x/y") == "b=2; c=1; a=2; d=1")
    }

    @Test("Partitioned cookies are separated by top-level site if the rules enable it, and need Secure")
    func partitions() throws {
        var rules = CookieRules()
        rules.partitionsCookies = true
        let jar = CookieJar(rules: rules)
        let (one, two) = (Origin(scheme: "https", host: "www.one.test"), Origin(scheme: "https", host: "two.test"))
        let field = "p=1; secure; samesite=none; partitioned"
        #expect(try jar.receive(field, from: "https://a.test/") { $0.firstParty = one } == [nil])
        #expect(try jar.field(for: "https://a.test/") { $0.firstParty = one } == "p=1")
        #expect(
            try jar.field(for: "https://a.test/") { $0.firstParty = Origin(scheme: "https", host: "one.test") } == "p=1"
        )
        #expect(try jar.field(for: "https://a.test/") { $0.firstParty = two } == "")
        #expect(try jar.field(for: "https://a.test/") == "")
        #expect(try jar.receive("p=1; partitioned", from: "https://a.test/") == [.partitionedNeedsSecure])
        let plain = CookieJar()
        try plain.receive(field, from: "https://a.test/") { $0.firstParty = one }
        #expect(try plain.field(for: "https://a.test/") { $0.firstParty = two } == "p=1")
    }
}
