import Airframe
import AirframeConformance
import AirframeCurl
import AirframeMock
import AirframeSocket
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The engines that sessions run on.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case curl, sockets, mock

    var testDescription: String { rawValue }

    static let real: [Engine] = [.curl, .sockets]

    func transport() -> any Transport {
        switch self {
        case .curl: CurlTransport()
        case .sockets: SocketTransport()
        case .mock:
            MockTransport {
                Route(.get, "/start").reply(.redirect(to: "/secret").header(.setCookie, "hop=1; Path=/"))
                Route(.get, "/secret").when(header: .authorization).reply { request in
                    .text(request.headerFields[.cookie] ?? "none")
                }
                Route(.get, "/secret").reply(
                    .status(401).header(.wwwAuthenticate, "Basic realm=\"r\"").header(.setCookie, "challenge=1; Path=/")
                )
                Route(.get, "/**").reply { request in .text(request.headerFields[.cookie] ?? "none") }
            }
        }
    }
}

@Suite("Sessions with cookies", .timeLimit(.minutes(2)))
struct SessionTests {
    /// A server that answers requests of clients and of proxies like the mock's routes.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                let fields = head.components(separatedBy: "\r\n")
                let cookies = fields.filter { $0.lowercased().hasPrefix("cookie: ") }.map { $0.dropFirst(8) }
                let target = fields[0].components(separatedBy: " ").dropFirst().first ?? "/"
                let path = URL(string: target)?.path ?? target
                let isAuthorized = fields.contains { $0.lowercased().hasPrefix("authorization: ") }
                let body = cookies.isEmpty ? "none" : cookies.joined(separator: " AND ")
                let (status, lines) =
                    switch path {
                    case "/start": ("302 Found", "Location: /secret\r\nSet-Cookie: hop=1; Path=/\r\n")
                    case "/secret" where !isAuthorized:
                        (
                            "401 Unauthorized",
                            "WWW-Authenticate: Basic realm=\"r\"\r\nSet-Cookie: challenge=1; Path=/\r\n"
                        )
                    default: ("200 OK", "")
                    }
                try connection.send("HTTP/1.1 \(status)\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
    }

    private static func session(
        _ engine: Engine,
        _ configuration: URLSessionConfiguration = .ephemeral,
        proxy: ProxyPolicy = .none
    ) -> Session {
        configuration.transportOptions.proxy = proxy
        return Session(transport: engine.transport(), configuration: configuration)
    }

    @Test("a login's cookies, set by a redirect and a challenge, are sent from then on", arguments: Engine.allCases)
    func login(engine: Engine) async throws {
        let server = try Self.server()
        let session = Self.session(engine)
        let text = try await session.request("\(server.origin)/start").authenticate(username: "u", password: "p")
            .serializingString().value
        #expect(text == "hop=1; challenge=1")
        let later = try await session.request("\(server.origin)/other").serializingString().value
        #expect(later == "hop=1; challenge=1")
        let names = session.sessionConfiguration.httpCookieStorage?.cookies?.map(\.name)
        #expect(names == ["hop", "challenge"])
    }

    @Test("cookies are stored and sent through a proxy without TLS", arguments: Engine.real)
    func proxied(engine: Engine) async throws {
        // The server replaces a proxy: it answers requests for any host.
        let server = try Self.server()
        let proxy = Proxy(kind: .http, host: "127.0.0.1", port: server.port)
        let session = Self.session(engine, proxy: .proxy(proxy))
        let text = try await session.request("http://www.a.test/start").authenticate(username: "u", password: "p")
            .serializingString().value
        #expect(text == "hop=1; challenge=1")
        #expect(session.sessionConfiguration.httpCookieStorage?.cookies?.first?.domain == "www.a.test")
        #expect(try await session.request("http://b.test/other").serializingString().value == "none")
    }

    @Test("default configurations share a storage, each ephemeral one has its own, and nil stores nothing")
    func storages() throws {
        #expect(URLSessionConfiguration.default.httpCookieStorage === HTTPCookieStorage.shared)
        #expect(URLSessionConfiguration.af.default.httpCookieStorage === HTTPCookieStorage.shared)
        let ephemeral = URLSessionConfiguration.af.ephemeral
        let own = try #require(ephemeral.httpCookieStorage)
        #expect(own !== HTTPCookieStorage.shared)
        #expect(ephemeral.httpCookieStorage === own)
        #expect(URLSessionConfiguration.ephemeral.httpCookieStorage !== own)
        #expect(Session(configuration: ephemeral).sessionConfiguration.httpCookieStorage === own)
        ephemeral.httpCookieStorage = nil
        #expect(ephemeral.httpCookieStorage == nil)
        #expect(ephemeral.httpCookieAcceptPolicy == .onlyFromMainDocumentDomain)
    }

    @Test("a session's settings: no storage, no sending, no storing")
    func configuration() async throws {
        func run(_ change: (URLSessionConfiguration) -> Void) async throws -> String {
            let configuration = URLSessionConfiguration.ephemeral
            let storage = try #require(configuration.httpCookieStorage)
            storage.setCookie(try #require(HTTPCookie(name: "a", value: "1", domain: "api.test")))
            change(configuration)
            let session = Session(transport: Engine.mock.transport(), configuration: configuration)
            let text = try await session.request("http://api.test/x").serializingString().value
            _ = await session.request("http://api.test/start").serializingString().response
            return "\(text), \(storage.cookies?.count ?? 0) stored"
        }
        #expect(try await run { _ in } == "a=1, 3 stored")
        #expect(try await run { $0.httpCookieStorage = nil } == "none, 1 stored")
        #expect(try await run { $0.httpShouldSetCookies = false } == "none, 3 stored")
        #expect(try await run { $0.httpCookieAcceptPolicy = .never } == "a=1, 1 stored")
    }

    @Test("a request's settings: httpShouldHandleCookies, its own jar, the main document")
    func requestSettings() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage?.setCookie(try #require(HTTPCookie(name: "a", value: "1", domain: "api.test")))
        let session = Session(transport: Engine.mock.transport(), configuration: configuration)
        func send(_ change: @escaping @Sendable (inout URLRequest) throws -> Void) async throws -> String {
            try await session.request("http://api.test/x", requestModifier: change).serializingString().value
        }
        #expect(try await send { $0.httpShouldHandleCookies = false } == "none")
        #expect(try await send { $0.headers.add(name: "Cookie", value: "b=2") } == "b=2; a=1")
        #expect(try await send { $0.mainDocumentURL = URL(string: "http://www.b.test/") } == "none")
        #expect(try await send { $0.mainDocumentURL = URL(string: "http://www.api.test/") } == "a=1")
        let own = CookieJar()
        own.insert(try #require(HTTPCookie(name: "own", value: "1", domain: "api.test")))
        #expect(try await send { $0[CookieSettings.self].jar = own } == "own=1")
        #expect(try await send { _ in } == "a=1")
    }

    @Test("an archive names the cookies that were sent and set, their values hidden")
    func archive() async throws {
        let folder = try ScratchFolder()
        let file = URL(filePath: folder.path("x.har"))
        let recorder = try HARRecorder(file: file)
        let session = Session(
            transport: Engine.mock.transport(), configuration: .ephemeral, eventMonitors: [recorder])
        _ = await session.request("http://api.test/start").authenticate(username: "u", password: "p")
            .serializingString().response
        try await recorder.close()
        let archive = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        let entries = try #require((archive["log"] as? [String: Any])?["entries"] as? [[String: Any]])
        func count(_ side: String) -> [Int] {
            entries.map { (($0[side] as? [String: Any])?["cookies"] as? [Any])?.count ?? -1 }
        }
        #expect(count("request").last == 2)
        #expect(count("response").first == 1)
        let values = entries.flatMap { entry in
            ["request", "response"].flatMap { ((entry[$0] as? [String: Any])?["cookies"] as? [[String: Any]]) ?? [] }
        }.map { $0["value"] as? String }
        #expect(!values.contains("1"))
    }

    @Test("https-only and HSTS: http is rewritten before anything is sent, with the credential")
    func https() async throws {
        let mock = MockTransport {
            Route(.get, "/hsts").reply(.text("x").header(.strictTransportSecurity, "max-age=1000"))
            Route(.get, "/**").reply(.text("x"))
        }
        let session = Session(transport: mock, configuration: .ephemeral)
        for url in ["http://a.test/1", "https://a.test/hsts", "http://a.test/2", "http://b.test/"] {
            _ = await session.request(url).serializingString().response
        }
        let last = await session.request("http://a.test/3").serializingString().response
        #expect(mock.requests.map(\.head.scheme) == ["http", "https", "https", "http", "https"])
        #expect(last.response?.url?.absoluteString == "https://a.test/3")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpsOnly = true
        configuration.strictTransportSecurity = nil
        mock.reset()
        let strict = Session(transport: mock, configuration: configuration)
        _ = await strict.request("http://c.test/").serializingString().response
        #expect(mock.requests.map(\.head.scheme) == ["https"])
    }
}

@Suite("Cookies and HSTS with real servers", .enabled(if: Peers.areExpected, "no peers run"), .timeLimit(.minutes(2)))
struct RealServerTests {
    private static func session(_ engine: Engine, proxy: ProxyPolicy = .none) throws -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        var options = TransportOptions()
        options.proxy = proxy
        options.tls.roots = .pemFile(path: try Peers.required().path("root"))
        configuration.transportOptions = options
        return Session(transport: engine.transport(), configuration: configuration)
    }

    private struct Answer: Decodable {
        let cookies: [String: String]
    }

    @Test("cookies of httpbin and Hangar are stored and deleted, directly and through squid", arguments: Engine.real)
    func cookies(engine: Engine) async throws {
        let peers = try Peers.required()
        let squid = Proxy(kind: .http, host: "127.0.0.1", port: try peers.port("squidHTTP"))
        for (origin, proxy) in [
            (try peers.http("httpbin"), ProxyPolicy.none), (try peers.https(), .none),
            (try peers.http("httpbin"), .proxy(squid)),
            (try peers.https(), .proxy(squid)),
        ] {
            let session = try Self.session(engine, proxy: proxy)
            let set = try await session.request("\(origin)/cookies/set?a=1&b=2").serializingDecodable(Answer.self).value
            #expect(set.cookies == ["a": "1", "b": "2"])
            let left = try await session.request("\(origin)/cookies/delete?a=").serializingDecodable(Answer.self).value
            #expect(left.cookies == ["b": "2"])
        }
    }

    @Test("a policy that a server sends over TLS is stored, and upgrades keep the port", arguments: Engine.real)
    func hsts(engine: Engine) async throws {
        let origin = try Peers.required().https()
        let session = try Self.session(engine)
        let url = "\(origin)/response-headers?Strict-Transport-Security=max-age%3D1000"
        _ = await session.request(url).serializingData().response
        #expect(session.sessionConfiguration.strictTransportSecurity?.policies.map(\.host) == ["localhost"])
        let clear = origin.replacing("https://", with: "http://")
        let response = await session.request("\(clear)/get").serializingData().response
        #expect(response.response?.statusCode == 200)
        #expect(response.response?.url?.absoluteString == "\(origin)/get")
    }
}
