import Airframe
import AirframeMock
import Foundation
import Testing

@Suite("Foundation's members of cookie storages", .timeLimit(.minutes(1)))
struct FoundationMemberTests {
    private func cookie(_ name: String, _ value: String, path: String = "/") throws -> HTTPCookie {
        try #require(HTTPCookie(name: name, value: value, domain: "api.test", path: path))
    }

    @Test("sortedCookies(using:) sorts by each descriptor in turn")
    func sorting() throws {
        let storage = HTTPCookieStorage()
        for (name, value) in [("b", "2"), ("a", "2"), ("c", "1")] { storage.setCookie(try cookie(name, value)) }
        let byValue = NSSortDescriptor(keyPath: \HTTPCookie.value, ascending: false)
        let byName = NSSortDescriptor(keyPath: \HTTPCookie.name, ascending: true)
        #expect(storage.sortedCookies(using: [byValue, byName]).map(\.name) == ["a", "b", "c"])
        #expect(storage.sortedCookies(using: []).count == 3)
        #expect(storage.description == "cookie storage with 3 cookies")
    }

    @Test("sharedCookieStorage(forGroupContainerIdentifier:) uses a file that the programs of a group share")
    func groups() throws {
        let data = FileManager.default.temporaryDirectory.appending(path: "airframe-groups-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: data) }
        setenv("XDG_DATA_HOME", data.path, 1)
        defer { unsetenv("XDG_DATA_HOME") }
        let storage = HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "group/../x")
        #expect(storage === HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: "group/../x"))
        #expect(storage !== HTTPCookieStorage.sharedCookieStorage(forGroupContainerIdentifier: ".."))
        let expires = Date(timeIntervalSinceNow: 1000)
        let cookie = HTTPCookie(name: "a", value: "1", domain: "api.test", expires: expires)
        storage.setCookie(try #require(cookie))
        try storage.jar.save()
        let folders = try FileManager.default.contentsOfDirectory(atPath: data.path)
        #expect(folders.sorted() == ["_..", "group_.._x"])
        let folder = data.appending(path: "group_.._x")
        #expect(try CookieJar(file: folder.appending(path: "cookies.json").path).cookies.map(\.name) == ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test("storeCookies(_:for:) and getCookiesFor(_:completionHandler:) use the task's request")
    func tasks() async throws {
        let mock = MockTransport { Route("/a/b").reply(.text("ok")) }
        let session = Session(composed: mock)
        let request = session.request("http://api.test/a/b")
        _ = await request.serializingString().response
        let task = try #require(request.task)
        let storage = HTTPCookieStorage()
        storage.storeCookies([try cookie("near", "1", path: "/a"), try cookie("far", "1", path: "/c")], for: task)
        #expect(storage.cookies?.count == 2)
        #expect(storage.cookies(for: task)?.map(\.name) == ["near"])
        storage.getCookiesFor(task) { found in #expect(found?.map(\.name) == ["near"]) }
        storage.cookieAcceptPolicy = .never
        storage.storeCookies([try cookie("late", "1")], for: task)
        #expect(storage.cookies?.count == 2)
    }

    @Test("attributes that RFC 6265 removed are accepted and ignored")
    func obsolete() throws {
        let cookie = try #require(
            HTTPCookie(properties: [
                .name: "a", .value: "b", .domain: "api.test", .path: "/", .comment: "c",
                .commentURL: "http://api.test/", .port: "80,443",
            ]))
        #expect(cookie.comment == nil && cookie.commentURL == nil && cookie.portList == nil)
    }
}
