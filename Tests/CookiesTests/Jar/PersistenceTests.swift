import AirframeCookies
import AirframeLayers
import AirframeTestSupport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Cookies in a file", .timeLimit(.minutes(3)))
struct PersistenceTests {
    private func cookie(_ name: String, _ value: String = "1", expires: Date? = Date().addingTimeInterval(9999)) throws
        -> HTTPCookie
    {
        try #require(
            HTTPCookie(name: name, value: value, domain: ".a.test", path: "/p", expires: expires, isSecure: true))
    }

    @Test("saved cookies are restored from a file in mode 0600; session cookies only if keepsSessionCookies is set")
    func saved() throws {
        let folder = try ScratchFolder()
        for keeps in [false, true] {
            let path = folder.path("cookies-\(keeps).json")
            let jar = try CookieJar(file: path, keepsSessionCookies: keeps)
            jar.insert(try cookie("a"))
            jar.insert(try cookie("s", expires: nil))
            jar.insert(try cookie("gone", expires: Date().addingTimeInterval(-1)))
            try jar.receive(
                "n=1; max-age=100; samesite=strict; httponly", "=nameless=x; max-age=9", from: "https://b.test/")
            try jar.save()
            let again = try CookieJar(file: path, keepsSessionCookies: keeps)
            let expected = jar.cookies.filter { keeps || !$0.isSessionOnly }
            #expect(again.cookies == expected)
            #expect(
                again.cookies.map(\.creationDate.timeIntervalSince1970)
                    == expected.map(\.creationDate.timeIntervalSince1970))
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("a cookie whose default path has a semicolon is restored (RFC 3986 §3.3)", arguments: ["c.json", "c.txt"])
    func semicolon(name: String) throws {
        let folder = try ScratchFolder()
        let jar = try CookieJar(store: FileCookieStore(existing: folder.path(name)))
        #expect(try jar.receive("a=1; max-age=99", from: "http://a.test/r;year=2024/list") == [nil])
        try jar.save()
        let again = try CookieJar(store: FileCookieStore(existing: folder.path(name)))
        #expect(again.cookies.map(\.path) == ["/r;year=2024"])
        #expect(try again.field(for: "http://a.test/r;year=2024/other") == "a=1")
    }

    @Test("a cookie of a host that no file could restore is rejected, and the file remains readable")
    func malformedHost() throws {
        let folder = try ScratchFolder()
        let jar = try CookieJar(file: folder.path("c"))
        let head = HTTPRequest(method: .get, scheme: "http", authority: ".", path: "/")
        let outcomes = jar.receive(["a=1; max-age=99"], for: try #require(CookieRequest(head)))
        guard case .rejected(let rejection) = try #require(outcomes.first) else {
            Issue.record("the cookie was stored")
            return
        }
        #expect(rejection.reason == .malformedHostOrPath)
        jar.insert(try cookie("b"))
        try jar.save()
        #expect(try CookieJar(file: folder.path("c")).cookies.map(\.name) == ["b"])
    }

    @Test("changes are saved after a short delay, and when the jar is released")
    func automatic() async throws {
        let folder = try ScratchFolder()
        var jar: CookieJar? = try CookieJar(file: folder.path("c"))
        jar?.insert(try cookie("a"))
        while !FileManager.default.fileExists(atPath: folder.path("c")) { try await Task.sleep(for: .milliseconds(10)) }
        jar?.insert(try cookie("b"))
        jar = nil
        while try CookieJar(file: folder.path("c")).cookies.map(\.name) != ["a", "b"] {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test(
        "a file of another format or a newer version is rejected and left unchanged",
        arguments: [
            "{", "[]", "{\"version\":2,\"cookies\":[]}", "{\"version\":1,\"cookies\":[{}]}", "words\tin\tlines\n",
        ])
    func foreign(content: String) throws {
        let folder = try ScratchFolder()
        let path = folder.path("c")
        try Data(content.utf8).write(to: URL(filePath: path))
        #expect(throws: StateFileError.self) { try CookieJar(file: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(content.utf8))
    }

    @Test("two jars on one file lose nothing: additions, replacements and removals of both count")
    func twoJars() throws {
        let folder = try ScratchFolder()
        let (one, two) = (try CookieJar(file: folder.path("c")), try CookieJar(file: folder.path("c")))
        one.insert(try cookie("a"))
        one.insert(try cookie("b"))
        try one.save()
        two.insert(try cookie("c"))
        try two.save()
        #expect(two.cookies.map(\.name).sorted() == ["a", "b", "c"])
        two.removeAll { $0.name == "a" }
        one.insert(try cookie("b", "2"))
        try two.save()
        try one.save()
        try two.synchronize()
        for jar in [one, two, try CookieJar(file: folder.path("c"))] {
            #expect(jar.cookies.map { "\($0.name)\($0.value)" }.sorted() == ["b2", "c1"])
        }
    }

    @Test("a failed save keeps the changes for the next one")
    func failure() throws {
        let folder = try ScratchFolder()
        let path = folder.path("later/c")
        let jar = try CookieJar(file: path)
        jar.insert(try cookie("a"))
        #expect(throws: StateFileError.self) { try jar.save() }
        try FileManager.default.createDirectory(atPath: folder.path("later"), withIntermediateDirectories: true)
        try jar.save()
        #expect(try CookieJar(file: path).cookies.map(\.name) == ["a"])
    }

    @Test("concurrent processes lose no changes")
    func processes() async throws {
        let folder = try ScratchFolder()
        let path = folder.path("c")
        let outcomes = try await withThrowingTaskGroup(of: Command.RunResult.self) { group in
            for name in ["p", "q", "r"] {
                group.addTask { try await Command.built("cookie-probe", [path, "add", name, "30"]).run() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes { #expect(outcome.status == 0, "\(outcome.output)") }
        #expect(try CookieJar(file: path).cookies.count == 90)
    }

    /// The number of times that a writer is killed: 1,000 with `make endure`.
    static let kills = ProcessInfo.processInfo.environment["AIRFRAME_COOKIE_KILLS"].flatMap { Int($0) } ?? 60

    @Test("after a writer was killed at random moments the file is complete, and no saved cookie is lost")
    func killed() throws {
        let folder = try ScratchFolder()
        let path = folder.path("c")
        var last = 0
        for kill in 0..<Self.kills {
            let process = Process()
            process.executableURL = URL(filePath: Command.built("cookie-probe", []).path)
            process.arguments = [path, "round", "\(last)"]
            try process.run()
            // Waits for the first save, and then for a random time during later ones.
            usleep(UInt32.random(in: 5_000...45_000))
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            guard FileManager.default.fileExists(atPath: path) else { continue }
            let cookies = try CookieJar(file: path).cookies
            let values = Set(cookies.map(\.value))
            #expect(cookies.count == 5 && values.count == 1, "kill \(kill): a state that was never written")
            let number = values.first.flatMap { Int($0) } ?? 0
            #expect(number >= last, "kill \(kill): an older state")
            last = number
        }
        #expect(last > 0, "no state was ever written")
        print("\(Self.kills) kills, \(last) states")
    }
}
