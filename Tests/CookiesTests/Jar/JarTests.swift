import AirframeCookies
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("The cookie jar", .timeLimit(.minutes(1)))
struct JarTests {
    private func rules(perDomain: Int = 180, total: Int = 10_000) -> CookieRules {
        var rules = CookieRules()
        (rules.maximumPerDomain, rules.maximumTotal) = (perDomain, total)
        return rules
    }

    @Test(
        "beyond a domain's limit, expired, then not Secure, then least recently used cookies are removed (§5.7)"
    )
    func domainLimit() throws {
        let jar = CookieJar(rules: rules(perDomain: 3))
        let now = Date()
        func receive(_ field: String, _ seconds: Double) throws {
            try jar.receive(field, from: "https://a.test/", at: now.addingTimeInterval(seconds))
        }
        func names(_ seconds: Double) throws -> [String] {
            try jar.cookies(for: cookieRequest("https://a.test/"), at: now.addingTimeInterval(seconds)).map(\.name)
        }
        try receive("old=1; secure", 0)
        try receive("short=1; secure; max-age=2", 1)
        try receive("plain=1", 2)
        try receive("new=1; secure", 5)
        #expect(try names(5) == ["old", "plain", "new"], "the expired one went")
        try receive("newer=1; secure", 6)
        #expect(try names(6) == ["old", "new", "newer"], "the one that is not Secure went")
        try receive("newest=1; secure", 7)
        #expect(try names(7) == ["new", "newer", "newest"], "the least recently used went")
    }

    @Test("beyond the limit of the jar, expired cookies are removed first, then the least recently used")
    func totalLimit() throws {
        let jar = CookieJar(rules: rules(total: 3))
        let now = Date()
        for (index, host) in ["a", "b", "c", "d"].enumerated() {
            try jar.receive("n=\(index)", from: "http://\(host).test/", at: now.addingTimeInterval(Double(index)))
            #expect(jar.cookies.count == min(index + 1, 3))
        }
        #expect(jar.cookies.map(\.host) == ["b.test", "c.test", "d.test"])
    }

    @Test("a cookie that was sent counts as used")
    func use() async throws {
        let jar = CookieJar(rules: rules(perDomain: 2))
        let past = Date().addingTimeInterval(-100)
        try jar.receive("a=1; path=/a", from: "http://a.test/", at: past)
        try jar.receive("b=1; path=/b", from: "http://a.test/", at: past.addingTimeInterval(1))
        let layer = CookieLayer(ScriptedTransport { _ in .setting() }, storage: HTTPCookieStorage(jar: jar))
        _ = try await layer.send(request("http://a.test/a"))
        try jar.receive("c=1; path=/", from: "http://a.test/")
        #expect(jar.cookies.map(\.name) == ["a", "c"])
    }

    @Test("changes are reported in order, with replaced cookies and the reasons for removals")
    func changes() async throws {
        let jar = CookieJar(rules: rules(perDomain: 2))
        let changes = jar.changes
        try jar.receive("a=1", "a=2", "b=1", "b=; max-age=0", from: "http://a.test/")
        jar.removeAll { $0.name == "a" }
        var seen: [String] = []
        for await change in changes {
            switch change {
            case .stored(let cookie, let replaced):
                seen.append("\(cookie.name)=\(cookie.value) for \(replaced?.value ?? "-")")
            case .removed(let cookie, let reason): seen.append("\(cookie.name) \(reason)")
            }
            if seen.count == 5 { break }
        }
        #expect(seen == ["a=1 for -", "a=2 for 1", "b=1 for -", "b byServer", "a byProgram"])
    }

    @Test("a subdomain that is too long for a host has no cookies of its parent domains")
    func longHost() throws {
        let jar = CookieJar()
        try jar.receive("a=1; domain=b.test", from: "https://b.test/")
        #expect(try jar.field(for: "https://\(String(repeating: "x.", count: 120))b.test/") == "a=1")
        #expect(try jar.field(for: "https://\(String(repeating: "x.", count: 130))b.test/") == "")
    }

    @Test("the streams of changes end with the jar")
    func end() async throws {
        var jar: CookieJar? = CookieJar()
        let changes = try #require(jar).changes
        jar = nil
        for await _ in changes { Issue.record("there was no change") }
    }

    @Test("Foundation's spelling: properties, fields, storage")
    func spelling() throws {
        let url = try #require(URL(string: "https://www.a.test/x/y"))
        let cookie = try #require(
            HTTPCookie(properties: [
                .name: "n", .value: "v", .domain: ".a.test", .path: "/", .secure: "TRUE", .expires: Date.distantFuture,
                .sameSitePolicy: HTTPCookieStringPolicy.sameSiteStrict,
            ]))
        #expect(
            cookie.isSecure && !cookie.isHTTPOnly && !cookie.isSessionOnly && cookie.sameSitePolicy == .sameSiteStrict)
        #expect(cookie.properties.flatMap(HTTPCookie.init(properties:)) == cookie)
        #expect(HTTPCookie(properties: [.name: "n", .value: "v", .path: "/"]) == nil)
        #expect(HTTPCookie(properties: [.name: "n", .value: "v", .path: "/", .originURL: url])?.domain == "www.a.test")
        #expect(HTTPCookie(name: "a", value: "b;c", domain: "a.test") == nil)
        #expect(HTTPCookie(name: "a=b", value: "c", domain: "a.test") == nil)
        let storage = HTTPCookieStorage()
        storage.setCookie(cookie)
        #expect(storage.cookies(for: url) == [cookie])
        #expect(HTTPCookie.requestHeaderFields(with: [cookie]) == ["Cookie": "n=v"])
        let parsed = HTTPCookie.cookies(
            withResponseHeaderFields: ["set-cookie": "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT, b=2; Path=/"],
            for: url)
        #expect(parsed.map(\.name) == ["a", "b"])
        #expect(parsed.map(\.path) == ["/x", "/"])
        storage.deleteCookie(cookie)
        #expect(storage.cookies == [])
        storage.cookieAcceptPolicy = .never
        storage.setCookie(cookie)
        #expect(storage.cookies == [])
    }

    @Test("no description shows a value")
    func descriptions() throws {
        let cookie = try #require(HTTPCookie(name: "session", value: "hunter2", domain: "a.test"))
        var dumped = ""
        dump(cookie, to: &dumped)
        for text in ["\(cookie)", String(reflecting: cookie), dumped, "\(CookieChange.stored(cookie, replacing: nil))"]
        {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("session"))
        }
    }

    @Test("ten thousand cookies: the matches are found in under 20 µs")
    func speed() throws {
        let jar = CookieJar()
        for host in 0..<1000 {
            let fields = (0..<10).map { "name\($0)=value\(host); path=/\($0 % 3 == 0 ? "" : "x\($0)")" }
            _ = jar.receive(fields, for: try cookieRequest("http://host\(host).example.com/"))
        }
        #expect(jar.cookies.count == 10_000)
        let request = try cookieRequest("http://host500.example.com/x1/y")
        let date = Date()
        var best = Duration.seconds(1)
        for _ in 0..<50 {
            let took = ContinuousClock().measure {
                for _ in 0..<20 { #expect(jar.cookies(for: request, at: date).count == 5) }
            }
            best = min(best, took / 20)
        }
        print("10,000 cookies: \(best) a search")
        // The limit does not apply to builds without optimization.
        #expect(best < .microseconds(200))
    }
}
