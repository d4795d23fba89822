import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Redirects: a request's own decision", .timeLimit(.minutes(1)))
struct RedirectDecisionTests {
    private static func request(
        method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        _ decide: @escaping @Sendable (HTTPResponse, HTTPRequest) async -> HTTPRequest?
    ) -> TransportRequest {
        var request = TransportRequest.to("http://api.test/", method: method, body: body)
        if !body.isNone { request.head.headerFields[.contentType] = "text/plain" }
        request[RedirectDecision.self] = { await decide($0, $1).map { RedirectedRequest($0) } }
        return request
    }

    @Test("A declined redirect is returned to the caller, with its body")
    func declined() async throws {
        let log = EventLog()
        let base = ScriptedTransport { .redirect(302, to: "/next", body: ResponseBody(Data([1])), from: $0) }
        var request = Self.request { _, _ in nil }
        request.events = log
        let response = try await RedirectLayer(base).send(request)
        #expect(response.head.status == .found)
        #expect(try await response.body.collect(upTo: 1) == Data([1]))
        #expect(base.requests.count == 1)
        #expect(log.words == ["refused 302 (the request does not follow redirects)"])
    }

    @Test("It receives the response and the request that would follow")
    func asked() async throws {
        let base = ScriptedTransport(redirecting: 303, to: "/next")
        let request = Self.request(method: .post, body: .bytes(Data([1]))) { response, next in
            #expect(response.status == .seeOther)
            #expect(response.headerFields[.location] == "/next")
            #expect(next.method == .get)
            #expect(next.path == "/next")
            #expect(next.headerFields[.contentType] == nil)
            return next
        }
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.url == "http://api.test/next")
    }

    @Test("The request that it returns is sent")
    func changed() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "/next")
        let request = Self.request { _, next in
            var next = next
            next.path = "/elsewhere"
            next.headerFields[.accept] = "text/html"
            return next
        }
        let response = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.url == "http://api.test/elsewhere")
        #expect(response.request.headerFields[.accept] == "text/html")
    }

    @Test("The body is kept unless the returned method has none")
    func changedMethod() async throws {
        let cases: [(HTTPRequest.Method, HTTPRequest.Method, Bool)] = [
            (.post, .get, false), (.post, .head, false), (.post, .put, true), (.get, .get, true), (.get, .post, true),
        ]
        for (method, chosen, keepsBody) in cases {
            let base = ScriptedTransport(redirecting: 307, to: "/next")
            let request = Self.request(method: method, body: .bytes(Data([1]))) { _, next in
                var next = next
                next.method = chosen
                return next
            }
            _ = try await RedirectLayer(base).send(request)
            let last = try #require(base.requests.last)
            #expect(last.head.method == chosen)
            #expect(last.body.isNone == !keepsBody)
            #expect((last.head.headerFields[.contentType] != nil) == keepsBody, "\(method) to \(chosen)")
        }
    }

    @Test("A body that it supplies replaces the request's, regardless of the method")
    func changedBody() async throws {
        for status in [303, 307] {
            let base = ScriptedTransport(redirecting: status, to: "/next")
            var request = TransportRequest.to("http://api.test/", method: .post, body: .bytes(Data([1])))
            request[RedirectDecision.self] = { _, next in
                var next = next
                next.method = .put
                return RedirectedRequest(next, body: .bytes(Data([2, 3])))
            }
            _ = try await RedirectLayer(base).send(request)
            let last = try #require(base.requests.last)
            #expect(last.head.method == .put)
            guard case .bytes(let data) = last.body.content else {
                Issue.record("the body is \(last.body)")
                continue
            }
            #expect(data == Data([2, 3]))
        }
    }

    @Test("A body that it supplies replaces a one-shot body")
    func changedOneShotBody() async throws {
        let base = ScriptedTransport(redirecting: 307, to: "/next")
        let body = RequestBody.sequence(AsyncStream<Data> { nil })
        var request = TransportRequest.to("http://api.test/", method: .post, body: body)
        request[RedirectDecision.self] = { _, next in RedirectedRequest(next, body: RequestBody.none) }
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.body.isNone == true)
    }

    @Test("A target that it supplies follows the rules of that target's origin")
    func changedOrigin() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "/next")
        var request = Self.request { _, next in
            var next = next
            next.authority = "other.test"
            return next
        }
        request.identity = ClientIdentity(chain: [], privateKey: DER([1]))
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.url == "http://other.test/next")
        #expect(base.requests.last?.identity == nil)
    }

    @Test(
        "A redirect that HTTP cannot follow is handed out where the request declines it",
        arguments: ["app://callback?code=1", "app:callback", "", "http://[::1", "file:///etc/passwd"]
    )
    func declinesInvalid(location: String) async throws {
        let base = ScriptedTransport(redirecting: 302, to: location)
        let response = try await RedirectLayer(base).send(Self.request { _, _ in nil })
        #expect(response.head.headerFields[.location] == location)
    }

    @Test("It receives a target that is not an HTTP URL")
    func seesInvalid() async throws {
        let base = ScriptedTransport(redirecting: 302, to: "app://callback?code=1")
        let request = Self.request { _, next in
            #expect(next.scheme == "app")
            #expect(next.authority == "callback")
            #expect(next.path == "?code=1")
            return nil
        }
        _ = try await RedirectLayer(base).send(request)
        let garbage = Self.request { _, next in
            #expect(next.scheme == nil && next.authority == nil && next.path == nil)
            return nil
        }
        _ = try await RedirectLayer(ScriptedTransport(redirecting: 302, to: "http://[")).send(garbage)
    }

    @Test("The request that it returns must have an HTTP URL")
    func returnsInvalid() async throws {
        for change in [
            { $0.scheme = "ftp" }, { $0.scheme = nil }, { $0.authority = nil }, { $0.authority = "a/@b" },
        ] as [@Sendable (inout HTTPRequest) -> Void] {
            let base = ScriptedTransport(redirecting: 302, to: "/next")
            let request = Self.request { _, next in
                var next = next
                change(&next)
                return next
            }
            let error = await #expect(throws: TransportError.self) { try await RedirectLayer(base).send(request) }
            #expect(error?.code == .invalidRedirect)
            #expect(base.requests.count == 1)
        }
    }

    @Test("It decides on each redirect of a chain")
    func chain() async throws {
        let base = ScriptedTransport { request in
            let step = Int(request.head.path?.dropFirst() ?? "") ?? 0
            return step < 3 ? .redirect(302, to: "/\(step + 1)", from: request) : .ok(request)
        }
        let request = Self.request { _, next in next.path == "/3" ? nil : next }
        let response = try await RedirectLayer(base).send(request)
        #expect(response.head.headerFields[.location] == "/3")
        #expect(base.requests.map(\.head.path) == ["/", "/1", "/2"])
    }
}
