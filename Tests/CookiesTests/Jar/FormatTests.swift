import AirframeCookies
import AirframeTestSupport
import Foundation
import Testing

@Suite("Cookies in foreign formats", .timeLimit(.minutes(1)))
struct FormatTests {
    private func jar() throws -> CookieJar {
        let jar = CookieJar()
        try jar.receive(
            "a=1; max-age=1000; secure; httponly; domain=a.test; samesite=lax", "b=x=y; path=/p", "nameless",
            from: "https://www.a.test/")
        return jar
    }

    @Test("exported cookies can be imported", arguments: [CookieFormat.json, .netscape, .har])
    func roundTrip(format: CookieFormat) throws {
        let jar = try jar()
        let again = CookieJar()
        #expect(try again.importCookies(from: jar.exported(as: format), as: format) == 3)
        func key(_ cookie: HTTPCookie) -> String {
            let expiry = cookie.expiresDate.map { "\(Int($0.timeIntervalSince1970))" } ?? "session"
            return "\(cookie) \(cookie.value) \(expiry)".replacing(" SameSite=lax", with: "").replacing(",", with: "")
        }
        #expect(Set(again.cookies.map(key)) == Set(jar.cookies.map(key)))
    }

    @Test("cookies.txt as curl writes it: comments, HttpOnly, session cookies, an empty value, CRLF")
    func netscape() throws {
        let text = """
            # Netscape HTTP Cookie File\r
            # https://curl.se/docs/http-cookies.html

            #HttpOnly_.a.test\tTRUE\t/\tTRUE\t4102444800\tsid\tabc\r
            b.test\tFALSE\t/x\tFALSE\t0\tempty\t
            """
        let jar = CookieJar()
        #expect(try jar.importCookies(from: Data(text.utf8), as: .netscape) == 2)
        let sid = try #require(jar.cookies.first { $0.name == "sid" })
        #expect(sid.value == "abc" && sid.isHTTPOnly && sid.isSecure && sid.domain == ".a.test")
        let empty = try #require(jar.cookies.first { $0.name == "empty" })
        #expect(empty.value.isEmpty && empty.isSessionOnly && empty.isHostOnly && empty.path == "/x")
        #expect(throws: (any Error).self) { try jar.importCookies(from: Data("no cookie\n".utf8), as: .netscape) }
    }

    @Test("curl reads exported cookies, and curl's files can be imported")
    func curl() async throws {
        let folder = try ScratchFolder()
        try jar().exported(as: .netscape).write(to: URL(filePath: folder.path("c.txt")))
        let outcome = try await Command([
            "curl", "-s", "-b", folder.path("c.txt"), "-c", folder.path("out.txt"), "file:///dev/null",
        ]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        let again = CookieJar()
        try again.importCookies(from: Data(contentsOf: URL(filePath: folder.path("out.txt"))), as: .netscape)
        #expect(Set(again.cookies.map(\.name)).isSuperset(of: ["a", "b"]))
    }

    @Test("an archive's cookies are imported for the hosts that set them")
    func archive() throws {
        let text = """
            {"log": {"version": "1.2", "entries": [{"request": {"url": "https://www.a.test/x/y"},
              "response": {"cookies": [
              {"name": "a", "value": "1"}, {"name": "b", "value": "2", "domain": "a.test", "path": "/",
               "expires": "2099-01-01T00:00:00.000Z", "secure": true, "httpOnly": true},
              {"name": "c", "value": "3", "domain": "com"}]}}]}}
            """
        let jar = CookieJar()
        #expect(try jar.importCookies(from: Data(text.utf8), as: .har) == 2)
        #expect(jar.cookies.map(\.domain) == ["www.a.test", ".a.test"])
        #expect(jar.cookies.map(\.path) == ["/x", "/"])
    }

    @Test("a store in Netscape's format, for files that are shared with curl")
    func store() throws {
        let folder = try ScratchFolder()
        let jar = try CookieJar(store: FileCookieStore(existing: folder.path("c.txt")), keepsSessionCookies: true)
        try jar.receive("a=1", "b=1; max-age=99", from: "http://a.test/")
        try jar.save()
        let text = try String(contentsOfFile: folder.path("c.txt"), encoding: .utf8)
        #expect(text.hasPrefix("# Netscape HTTP Cookie File\n"))
        let again = try CookieJar(store: FileCookieStore(existing: folder.path("c.txt")))
        #expect(again.cookies.map(\.name) == ["a", "b"])
    }
}
