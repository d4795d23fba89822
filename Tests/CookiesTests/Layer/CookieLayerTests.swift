import AirframeAuthentication
import AirframeCookies
import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The cookie layer", .timeLimit(.minutes(1)))
struct CookieLayerTests {
    @Test("the cookies of every hop and challenge are stored and sent")
    func hops() async throws {
        let server = ScriptedTransport { request in
            switch request.head.path {
            case "/start": return .setting("hop=1", status: 302, location: "/secret")
            default:
                guard request.head.headerFields.contains(.authorization) else {
                    var head = HTTPResponse.setting("challenge=1", status: 401)
                    head.headerFields[.wwwAuthenticate] = "Basic realm=\"r\""
                    return head
                }
                return .setting("last=1")
            }
        }
        let storage = HTTPCookieStorage()
        let client = RedirectLayer(AuthenticationLayer(CookieLayer(server, storage: storage)))
        var start = try request("http://a.test/start")
        start[RequestCredential.self] = HTTPCredential(
            user: "u", password: "p", origin: Origin(scheme: "http", host: "a.test"))
        _ = try await client.send(start)
        #expect(server.cookies == [[], ["hop=1"], ["hop=1; challenge=1"]])
        #expect(storage.cookies?.map(\.name) == ["hop", "challenge", "last"])
    }

    @Test("after a redirect to another host neither stored cookies nor the request's own are sent")
    func foreignHop() async throws {
        let server = ScriptedTransport { request in
            request.head.authority == "a.test" ? .setting("a=1", status: 302, location: "http://b.test/") : .setting()
        }
        var start = try request("http://a.test/")
        start.head.headerFields[.cookie] = "own=1"
        _ = try await RedirectLayer(CookieLayer(server)).send(start)
        #expect(server.cookies == [["own=1"], []])
    }

    @Test("stored cookies with other names are appended to the request's own in the same field")
    func ownField() async throws {
        let server = ScriptedTransport { _ in .setting() }
        let storage = HTTPCookieStorage()
        try storage.jar.receive("a=stored", "b=stored", from: "http://a.test/")
        var own = try request("http://a.test/")
        own.head.headerFields[.cookie] = "a=own; c=own"
        _ = try await CookieLayer(server, storage: storage).send(own)
        #expect(server.cookies == [["a=own; c=own; b=stored"]] || server.cookies == [["a=own", "c=own; b=stored"]])
        #expect(server.cookies.first?.count == 1)
    }

    @Test("the stored cookies of a described request are those that it would be sent with; they do not count as used")
    func described() async throws {
        let storage = HTTPCookieStorage()
        let date = Date(timeIntervalSinceNow: -100)
        try storage.jar.receive("a=1", "b=2", from: "http://a.test/", at: date)
        let server = ScriptedTransport { _ in .setting() }
        let layer = CookieLayer(server, storage: storage)
        var asked = try request("http://a.test/")
        asked.head.headerFields[.cookie] = "b=own"
        #expect(layer.storedCookies(for: asked) == ["a=1"])
        #expect(storage.cookies?.allSatisfy { $0.lastAccessDate < date + 1 } == true)
        _ = try await layer.send(asked)
        #expect(server.cookies == [["b=own; a=1"]])
        #expect(CookieLayer(server, storage: storage, sendsCookies: false).storedCookies(for: asked) == [])
        asked[CookieContext.self].isHandled = false
        #expect(layer.storedCookies(for: asked) == [])
    }

    @Test("one request's settings: not handled, its own jar, policy, filter, site")
    func settings() async throws {
        let server = ScriptedTransport { _ in .setting("new=1") }
        let storage = HTTPCookieStorage()
        try storage.jar.receive("a=1; samesite=lax", "b=1", from: "https://a.test/")
        let layer = CookieLayer(server, storage: storage)
        func send(_ change: (inout TransportRequest) -> Void) async throws -> [String] {
            var sent = try request("https://a.test/")
            change(&sent)
            _ = try await layer.send(sent)
            return server.cookies.last ?? []
        }
        #expect(try await send { $0[CookieContext.self].isHandled = false } == [])
        let own = CookieJar()
        #expect(try await send { $0[CookieSettings.self].jar = own } == [])
        #expect(own.cookies.map(\.name) == ["new"])
        #expect(try await send { $0[CookieSettings.self].acceptPolicy = .never } == ["a=1; b=1"])
        #expect(
            try await send { $0[CookieSettings.self].filter = { cookie, use, _ in use == .send && cookie.name == "b" } }
                == ["b=1"])
        let other = Origin(scheme: "https", host: "b.test")
        #expect(try await send { $0[CookieSettings.self].siteForCookies = other } == [])
        #expect(try await send { $0[CookieContext.self].firstParty = other } == [])
        #expect(
            try await send {
                $0[CookieContext.self].firstParty = Origin(scheme: "https", host: "www.a.test")
                $0[CookieSettings.self].acceptPolicy = .never
            } == ["a=1; b=1"])
        #expect(storage.cookies?.map(\.name) == ["a", "b"])
        #expect(try await send { _ in } == ["a=1; b=1"])
        #expect(storage.cookies?.map(\.name) == ["a", "b", "new"])
    }

    @Test("the cookies of a response that replaces a stale one are stored where its head is received")
    func revalidation() async throws {
        let revalidation = Revalidation()
        let server = ScriptedTransport { request in
            var response = TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
            response.revalidation = revalidation
            return response
        }
        let storage = HTTPCookieStorage()
        let layer = CookieLayer(server, storage: storage)
        _ = try await layer.send(request("http://a.test/"))
        revalidation.end(with: HTTPResponse.setting("sid=2"))
        #expect(storage.cookies?.map(\.value) == ["2"])
        // The head is known already.
        storage.jar.removeAll { _ in true }
        _ = try await layer.send(request("http://a.test/"))
        #expect(storage.cookies?.map(\.value) == ["2"])
    }

    @Test("the stricter policy of storage and layer applies; sendsCookies turns sending off")
    func policies() async throws {
        let server = ScriptedTransport { _ in .setting("new=1") }
        let storage = HTTPCookieStorage()
        storage.cookieAcceptPolicy = .never
        _ = try await CookieLayer(server, storage: storage).send(request("http://a.test/"))
        storage.cookieAcceptPolicy = .always
        _ = try await CookieLayer(server, storage: storage, acceptPolicy: .never).send(request("http://a.test/"))
        #expect(storage.jar.isEmpty)
        var foreign = try request("http://a.test/")
        foreign[CookieContext.self].firstParty = Origin(scheme: "http", host: "b.test")
        foreign[CookieSettings.self].isTopLevelNavigation = true
        let mainOnly = CookieLayer(server, storage: storage, acceptPolicy: .onlyFromMainDocumentDomain)
        _ = try await mainOnly.send(foreign)
        #expect(storage.jar.isEmpty)
        _ = try await mainOnly.send(request("http://a.test/"))
        #expect(storage.cookies?.count == 1)
        _ = try await CookieLayer(server, storage: storage, sendsCookies: false).send(request("http://a.test/"))
        #expect(server.cookies.flatMap { $0 }.isEmpty)
    }

    @Test("events have the sent, stored and rejected cookies and the reasons, without values")
    func events() async throws {
        let server = ScriptedTransport { _ in
            .setting("ok=hunter2", "bad=hunter2; domain=com", "old=hunter2; max-age=0")
        }
        let log = EventLog()
        let layer = CookieLayer(server)
        var sent = try request("https://a.test/x?q")
        sent.events = log
        _ = try await layer.send(sent)
        _ = try await layer.send(sent)
        let words = log.decisions.map { "\($0)" }
        #expect(!words.joined().contains("hunter2"))
        #expect(words.count == 7)
        #expect(words[0].contains("storedCookie") && words[0].contains("ok") && words[0].contains("session cookie"))
        #expect(words[1].contains("rejectedCookie") && words[1].contains("public suffix"))
        #expect(words[2].contains("past"))
        #expect(words[3].contains("sentCookies") && words[3].contains("ok") && words[3].contains("a.test/x"))
    }
}
