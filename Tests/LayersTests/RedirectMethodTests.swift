import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Redirects: method and content (RFC 9110 §15.4)", .timeLimit(.minutes(1)))
struct RedirectMethodTests {
    /// The method of the request that follows a status.
    struct Rule: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: HTTPRequest.Method
        let next: HTTPRequest.Method
        let keepsBody: Bool

        var testDescription: String { "\(status) to \(method): \(next)\(keepsBody ? " with the content" : "")" }
    }

    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]

    static let rules: [Rule] = [301, 302, 303, 307, 308].flatMap { status in
        methods.map { method in
            let becomesGet =
                switch (status, method) {
                case (303, .head): false
                case (303, _), (301, .post), (302, .post): true
                default: false
                }
            return Rule(status: status, method: method, next: becomesGet ? .get : method, keepsBody: !becomesGet)
        }
    }

    private static let contentFields: HTTPFields = [
        .contentType: "text/plain", .contentLength: "3", .contentEncoding: "gzip", .contentLanguage: "en",
        .contentLocation: "/x", .transferEncoding: "chunked", .expect: "100-continue", .trailer: "ETag",
    ]

    @Test("A redirect changes the method, or keeps method and content", arguments: rules)
    func table(_ rule: Rule) async throws {
        let base = ScriptedTransport(redirecting: rule.status, to: "/next")
        let request = TransportRequest.to(
            "http://api.test/",
            method: rule.method,
            fields: Self.contentFields.merging([.accept: "text/html"]),
            body: .bytes(Data([1, 2, 3]))
        )
        let response = try await RedirectLayer(base).send(request)
        #expect(response.head.status == .ok)
        try #require(base.requests.count == 2)
        let next = base.requests[1]
        #expect(next.head.method == rule.next)
        #expect(next.url == "http://api.test/next")
        #expect(next.body.isNone == !rule.keepsBody)
        #expect(next.head.headerFields[.accept] == "text/html")
        for field in Self.contentFields {
            #expect(next.head.headerFields[field.name] == (rule.keepsBody ? field.value : nil), "\(field.name)")
        }
    }

    @Test(
        "Fields that describe content are removed with it, including rare ones",
        arguments: [
            "Content-Disposition", "Content-Range", "Content-Digest", "Content-MD5", "Digest", "Repr-Digest",
            "Last-Modified",
        ])
    func rareContentFields(name: String) async throws {
        let base = ScriptedTransport(redirecting: 303, to: "/next")
        var request = TransportRequest.to("http://api.test/", method: .post, body: .bytes(Data([1])))
        request.head.headerFields[try #require(HTTPField.Name(name))] = "x"
        _ = try await RedirectLayer(base).send(request)
        #expect(base.requests.last?.head.headerFields.isEmpty == true)
    }

    @Test(
        "Responses with other statuses are returned, even with a location",
        arguments: [200, 201, 300, 304, 305, 306, 309, 399, 401, 500])
    func otherStatuses(status: Int) async throws {
        let base = ScriptedTransport(redirecting: status, to: "/next")
        let response = try await RedirectLayer(base).send(.to("http://api.test/"))
        #expect(response.head.status.code == status)
        #expect(base.requests.count == 1)
    }

    @Test(
        "A redirect without a location is returned to the caller with its body", arguments: [301, 302, 303, 307, 308])
    func withoutLocation(status: Int) async throws {
        let base = ScriptedTransport { .redirect(status, to: nil, body: ResponseBody(Data([1])), from: $0) }
        let response = try await RedirectLayer(base).send(.to("http://api.test/"))
        #expect(response.head.status.code == status)
        #expect(try await response.body.collect(upTo: 1) == Data([1]))
    }

    @Test("A one-shot body fails a redirect that keeps the content", arguments: [307, 308])
    func oneShot(status: Int) async throws {
        let base = ScriptedTransport(redirecting: status, to: "/next")
        let body = RequestBody.sequence(AsyncStream<Data> { nil })
        let log = EventLog()
        var request = TransportRequest.to("http://api.test/", method: .post, body: body)
        request.events = log
        let error = await #expect(throws: TransportError.self) { try await RedirectLayer(base).send(request) }
        #expect(error?.code == .bodyNotReplayable)
        #expect(error?.origin == Origin(scheme: "http", host: "api.test"))
        #expect(base.requests.count == 1)
        #expect(log.words == ["failed: bodyNotReplayable"], "nothing says that it was followed")
    }

    @Test("A one-shot body does not fail a redirect that drops the content", arguments: [301, 302, 303])
    func oneShotDropped(status: Int) async throws {
        let base = ScriptedTransport(redirecting: status, to: "/next")
        let body = RequestBody.sequence(AsyncStream<Data> { nil })
        _ = try await RedirectLayer(base).send(.to("http://api.test/", method: .post, body: body))
        #expect(base.requests.last?.body.isNone == true)
    }

    @Test("A restartable body is sent again, with its trailers")
    func restartable() async throws {
        let base = ScriptedTransport(redirecting: 307, to: "/next")
        let body = RequestBody.restartableSequence { AsyncStream<Data> { nil } }.trailers { [.eTag: "x"] }
        _ = try await RedirectLayer(base).send(.to("http://api.test/", method: .put, body: body))
        #expect(base.requests.last?.body.replay == .restartable)
        #expect(try await base.requests.last?.body.trailers?() == [.eTag: "x"])
    }
}

extension HTTPFields {
    fileprivate func merging(_ others: HTTPFields) -> HTTPFields {
        var merged = self
        for field in others { merged.append(field) }
        return merged
    }
}
