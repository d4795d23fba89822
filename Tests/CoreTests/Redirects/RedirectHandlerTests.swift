import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Redirect handlers", .timeLimit(.minutes(1)))
struct RedirectHandlerTests {
    /// A server that redirects `/old` with a status to `/new`, and echoes the request there.
    private static func session(
        _ status: Int = 307,
        handler: (any RedirectHandler)? = nil,
        monitors: [any EventMonitor] = []
    ) -> (Session, ScriptedTransport) {
        let transport = ScriptedTransport(clock: StepClock()) { request in
            guard request.head.path != "/old" else {
                return .status(status, fields: [.location: "/new"], to: request)
            }
            var text = ""
            if case .bytes(let data) = request.body.content { text = String(decoding: data, as: UTF8.self) }
            return .status(200, "\(request.head.method) \(request.head.path ?? "") \(text)", to: request)
        }
        return (Session(transport: transport, redirectHandler: handler, eventMonitors: monitors), transport)
    }

    /// A handler, and the path of the last request with it.
    enum Choice: String, CaseIterable, Sendable {
        case none, follow, doNotFollow, modify

        var lastPath: String {
            switch self {
            case .none, .follow: "/new"
            case .doNotFollow: "/old"
            case .modify: "/else"
            }
        }
    }

    @Test(
        "monitors receive the proposed request once, before the handler is called, whether or not it is followed",
        arguments: Choice.allCases)
    func monitors(choice: Choice) async {
        let log = Log<String>()
        let (session, transport) = Self.session(302, monitors: [RedirectMonitor(log)])
        let request = session.request("http://api.test/old#part")
        switch choice {
        case .none: break
        case .follow: request.redirect(using: .follow)
        case .doNotFollow: request.redirect(using: .doNotFollow)
        case .modify:
            request.redirect(
                using: Self.changing {
                    log.append("asked")
                    $0.url = URL(string: "http://api.test/else")
                })
        }
        _ = await request.serializingString().response
        let event = "302 from http://api.test/old#part to http://api.test/new#part"
        #expect(log.values == (choice == .modify ? [event, "asked"] : [event]))
        #expect(transport.heads.last?.path == choice.lastPath)
    }

    @Test("monitors receive each redirect of a chain once")
    func monitoredChain() async {
        let log = Log<String>()
        let transport = ScriptedTransport(clock: StepClock()) { request in
            switch request.head.path {
            case "/1": .status(301, fields: [.location: "/2"], to: request)
            case "/2": .status(307, fields: [.location: "http://other.test/3"], to: request)
            default: .status(200, to: request)
            }
        }
        let session = Session(transport: transport, eventMonitors: [RedirectMonitor(log)])
        _ = await session.request("http://api.test/1").serializingData().response
        #expect(
            log.values == [
                "301 from http://api.test/1 to http://api.test/2", "307 from http://api.test/2 to http://other.test/3",
            ])
    }

    private static func changing(_ change: @escaping @Sendable (inout URLRequest) -> Void) -> Redirector {
        Redirector(
            behavior: .modify { _, request, _ in
                var request = request
                change(&request)
                return request
            })
    }

    @Test("a handler may change the whole request: URL, method, fields and body")
    func modifies() async throws {
        let (session, transport) = Self.session(303)
        let handler = Self.changing {
            $0.url = URL(string: "http://other.test/else?q=1")
            $0.method = .put
            $0.headers.add(name: "X-Redirected", value: "yes")
            $0.httpBody = Data("another body".utf8)
        }
        let request = session.upload(Data("body".utf8), to: "http://api.test/old").redirect(using: handler)
        #expect(try await request.serializingString().value == "PUT /else?q=1 another body")
        let last = try #require(transport.heads.last)
        #expect(last.authority == "other.test")
        #expect(last.headerFields[HTTPField.Name("X-Redirected")!] == "yes")
        #expect(request.task?.currentRequest?.url?.absoluteString == "http://other.test/else?q=1")
    }

    @Test("a handler that sets no body keeps that of the redirect")
    func keepsBody() async throws {
        let (session, _) = Self.session(307)
        let handler = Self.changing { $0.headers.add(name: "X-Redirected", value: "yes") }
        let upload = session.upload(Data("body".utf8), to: "http://api.test/old").redirect(using: handler)
        #expect(try await upload.serializingString().value == "POST /new body")
        let (other, _) = Self.session(303)
        let changed = other.upload(Data("body".utf8), to: "http://api.test/old").redirect(using: handler)
        #expect(try await changed.serializingString().value == "GET /new ")
    }

    @Test("a request's own handler replaces the session's")
    func precedence() async {
        let (session, _) = Self.session(302, handler: .doNotFollow)
        let declined = await session.request("http://api.test/old").serializingString().response
        #expect(declined.response?.statusCode == 302)
        let followed = await session.request("http://api.test/old").redirect(using: .follow).serializingString()
            .response
        #expect(followed.value == "GET /new ")
    }

    @Test("an invalid request of a handler fails the request with the reason")
    func invalid() async {
        let (session, _) = Self.session(302)
        let handler = Self.changing { $0.headers.add(name: "X-Bad", value: "a\r\nb") }
        let error = await session.request("http://api.test/old").redirect(using: handler).serializingString()
            .response.error
        #expect(error?.isCreateURLRequestError == true)
        #expect(error?.localizedDescription.contains("X-Bad") == true)
    }

    @Test("a task has the redirect responses in order")
    func history() async {
        let transport = ScriptedTransport(clock: StepClock()) { request in
            switch request.head.path {
            case "/1": .status(301, fields: [.location: "/2"], to: request)
            case "/2": .status(307, fields: [.location: "http://other.test/3"], to: request)
            default: .status(200, to: request)
            }
        }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/1")
        _ = await request.serializingData().response
        #expect(request.task?.redirects.map(\.statusCode) == [301, 307])
        #expect(
            request.task?.redirects.compactMap(\.url?.absoluteString) == ["http://api.test/1", "http://api.test/2"])
        #expect(request.response?.url?.absoluteString == "http://other.test/3")
    }

    @Test("credentials are sent to their origin only, unless a handler adds them")
    func credentials() async {
        let transport = ScriptedTransport(clock: StepClock()) { request in
            request.head.authority == "api.test"
                ? .status(302, fields: [.location: "http://other.test/"], to: request) : .status(200, to: request)
        }
        let session = Session(transport: transport)
        let headers: HTTPHeaders = [.authorization(bearerToken: "secret"), HTTPHeader(name: "Cookie", value: "a=b")]
        _ = await session.request("http://api.test/", headers: headers).serializingData().response
        #expect(transport.heads.last?.headerFields[.authorization] == nil)
        #expect(transport.heads.last?.headerFields[.cookie] == nil)
        let handler = Self.changing { $0.headers.add(.authorization(bearerToken: "for the other")) }
        _ = await session.request("http://api.test/", headers: headers).redirect(using: handler).serializingData()
            .response
        #expect(transport.heads.last?.headerFields[.authorization] == "Bearer for the other")
    }

    @Test(
        "a target has its location's fragment, else that of the redirected URL (RFC 9110 §10.2.2)",
        arguments: [
            ("/new", "http://api.test/new#part%20one"), ("/new#own", "http://api.test/new#own"),
            ("http://other.test/?q#own", "http://other.test/?q#own"),
            ("https://api.test/old", "https://api.test/old#part%20one"),
            ("?q=1", "http://api.test/old?q=1#part%20one"), ("/new#", "http://api.test/new#"),
        ]
    )
    func fragments(location: String, expected: String) async {
        let count = Counter()
        let transport = ScriptedTransport(clock: StepClock()) { request in
            count.next() == 1
                ? .status(302, fields: [.location: location], to: request) : .status(200, to: request)
        }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/old#part%20one")
        let response = await request.serializingData().response
        #expect(response.response?.url?.absoluteString == expected)
        #expect(request.task?.currentRequest?.url?.absoluteString == expected)
        #expect(transport.heads.allSatisfy { $0.path?.contains("#") == false }, "a fragment is not sent")
    }

    @Test("a target of a handler has the handler's fragment, not that of the location")
    func chosenFragment() async {
        let (session, _) = Self.session(302)
        let handler = Self.changing { $0.url = URL(string: "http://api.test/chosen") }
        let request = session.request("http://api.test/old#part").redirect(using: handler)
        _ = await request.serializingData().response
        #expect(request.response?.url?.absoluteString == "http://api.test/chosen")
    }
}
