import AirframeCore
import AirframeMock
import AirframeSerialization
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

@Suite("Attempts", .timeLimit(.minutes(1)))
struct AttemptTests {
    let tracer = TestTracer()

    /// Expects that each request on the wire has the context of its own attempt's span, once.
    private func expectContexts(of trace: Trace, on mock: MockTransport) {
        #expect(trace.attempts.count == mock.requests.count)
        for (attempt, request) in zip(trace.attempts, mock.requests) {
            #expect(request.headerFields[values: .traceparent] == [attempt.traceparent])
            #expect(request.headerFields[values: .tracestate] == ["test=1"])
        }
    }

    @Test("each attempt is a span with the resend count, and the waits belong to the request's span")
    func retries() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([.status(.serviceUnavailable), .fault(.connectionRefused), .text("ok")]))
        }
        let session = Session(mock, tracer: tracer, interceptor: retrier(after: 10))
        let response = await session.request("http://api.test/").validate().serializingString().response
        #expect(response.value == "ok")
        let trace = try await tracer.spans()
        let request = try #require(trace.requests.first)
        #expect(trace.requests.count == 1)
        #expect(trace.children(of: request).map(\.operationName) == ["GET", "GET", "GET"])
        #expect(trace.attempts.map { $0["http.request.resend_count"] } == [nil, 1, 2])
        #expect(trace.attempts.map { $0["error.type"] } == ["503", "connectFailed", nil])
        #expect(request.events.map(\.name) == ["retry", "retry"])
        #expect(request.events.map { $0.attributes.get("http.request.resend_count") } == [1, 2])
        #expect(request.status == nil)
        #expect(request["http.response.status_code"] == 200)
        #expect(request.duration == .seconds(20))
        try #require(trace.attempts.count == 3)
        #expect(trace.attempts[1].start - trace.attempts[0].end == 10_000_000_000)
        expectContexts(of: trace, on: mock)
        trace.expectNesting()
    }

    @Test("each step of a redirect is a span with its own URL and context")
    func redirects() async throws {
        let mock = MockTransport {
            Route(.post, "/a").reply(.redirect(to: "/b", status: .temporaryRedirect))
            Route(.post, "/b").reply(.redirect(to: "https://other.test/c?token=hidden", status: .seeOther))
            Route(.get, "/c").reply(.text("ok"))
        }
        let session = Session(mock, tracer: tracer)
        _ = await session.upload(Data("x".utf8), to: "https://api.test/a", method: .post).serializingData().response
        let trace = try await tracer.spans()
        let request = try #require(trace.requests.first)
        #expect(trace.attempts.map(\.operationName) == ["POST", "POST", "GET"])
        #expect(trace.attempts.map { $0["server.address"] } == ["api.test", "api.test", "other.test"])
        #expect(trace.attempts.map { $0["http.response.status_code"] } == [307, 303, 200])
        #expect(trace.attempts.map { $0["http.request.resend_count"] } == [nil, 1, 2])
        #expect(trace.attempts.allSatisfy { $0.parentSpanID == request.spanID && $0.status == nil })
        #expect(request.events.map(\.name) == ["redirect", "redirect"])
        #expect(request.events.first?.attributes.get("url.full") == "https://api.test/b")
        #expect("\(trace.spans)".contains("hidden") == false)
        expectContexts(of: trace, on: mock)
        trace.expectNesting()
    }

    static let failures: [(fault: Fault, phase: String?, type: String)] = [
        (.dnsFailure, "DNS", "nameResolutionFailed"), (.connectionRefused, "connect", "connectFailed"),
        (.networkUnreachable, "connect", "networkUnreachable"), (.tlsFailure(), "TLS", "tlsFailed"),
        (.untrusted(), "TLS", "trustRefused"), (.resetBeforeHead, nil, "connectionLost"),
        (.malformedHead, nil, "malformedResponse"), (.reset(afterBytes: 4), nil, "connectionLost"),
        (.close(afterBytes: 4), nil, "bodyTruncated"),
    ]

    @Test("failures are recorded in the phase, the attempt and the request", arguments: 0..<9)
    func failure(index: Int) async throws {
        let expected = Self.failures[index]
        let mock = MockTransport { Route(.get, "/").reply(.text("some bytes").failing(with: expected.fault)) }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("https://api.test/").serializingData().response
        let trace = try await tracer.spans()
        let attempt = try #require(trace.attempts.first)
        let request = try #require(trace.requests.first)
        for span in [attempt, request] {
            #expect(span["error.type"] == .string(expected.type))
            #expect(span.status?.code == .error)
            #expect(span.status?.message?.isEmpty == false)
            #expect(span.errors.count == 1)
        }
        let failed = trace.children(of: attempt).filter { $0.status?.code == .error }
        #expect(failed.map(\.operationName) == (expected.phase.map { [$0] } ?? []))
        #expect(failed.allSatisfy { $0["error.type"] == .string(expected.type) && $0.errors.count == 1 })
        trace.expectNesting()
    }

    @Test(
        "no secret of a URL, a field or a redirect is in any span",
        arguments: [nil, .connectionRefused, .resetBeforeHead] as [Fault?]
    )
    func secrets(fault: Fault?) async throws {
        let reply = Reply.redirect(to: "https://you:sesame@other.test/b?access_token=sesame#id_token=sesame")
        let mock = MockTransport {
            Route(.get, "/a").reply(reply)
            Route(.get, "/b").reply(fault.map { .fault($0) } ?? .text("x").header(.setCookie, "id=sesame"))
        }
        let configuration = TracingConfiguration(
            requestFields: [.authorization, .cookie, .referer],
            responseFields: [.location, .setCookie]
        )
        let session = Session(mock, tracer: tracer, configuration)
        let headers: HTTPHeaders = [
            .authorization(bearerToken: "sesame"), HTTPHeader(name: "Cookie", value: "id=sesame"),
            HTTPHeader(name: "Referer", value: "https://a.test/?token=sesame"),
        ]
        _ = await session.request("https://me:sesame@api.test/a?api_key=sesame&password=sesame", headers: headers)
            .serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.attempts.count == 2)
        for text in trace.spans.flatMap(\.texts) { #expect(!text.contains("sesame"), "\(text)") }
    }

    @Test(
        "the configured policy redacts the texts of errors, those of the program too", arguments: ["/a", "/refused"])
    func errorTexts(path: String) async throws {
        struct Refused: LocalizedError {
            var errorDescription: String? { "see https://a.test/?order_handle=sesame" }
        }
        let mock = MockTransport {
            Route(.get, "/a").reply(.redirect(to: "http://other.test/b?order_handle=sesame"))
        }
        let adapter = Interceptor(adapters: [
            Adapter { request, _, completion in completion(path == "/a" ? .success(request) : .failure(Refused())) }
        ])
        let policy = RedactionPolicy.standard.adding(parameters: ["order_handle"])
        let session = Session(mock, tracer: tracer, TracingConfiguration(redaction: policy), interceptor: adapter)
        let response = await session.request("https://api.test\(path)").serializingData().response
        #expect(response.error != nil)
        let texts = try await tracer.spans().spans.flatMap(\.texts)
        #expect(texts.contains { $0.contains("order_handle=•••") })
        for text in texts { #expect(!text.contains("sesame"), "\(text)") }
    }

    @Test("an expired limit is an error of its phase")
    func timeout() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.fault(.stall(in: .connect))) }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/") { $0.timeoutInterval = 15 }.serializingData().response
        let trace = try await tracer.spans()
        let connect = try #require(trace.named("connect").first)
        #expect(connect["error.type"] == "timedOut")
        #expect(connect.duration == .seconds(15))
        #expect(trace.attempts.first?["error.type"] == "timedOut")
    }

    @Test(
        "a cancelled request ends all its spans in every phase",
        arguments: [.pool, .resolve, .connect, .tls, .responseHead, .responseBody] as [TransportPhase]
    )
    func cancellation(phase: TransportPhase) async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.text("x").failing(with: .stall(in: phase)))
        }
        let session = Session(mock, tracer: tracer)
        let request = session.request("https://api.test/")
        async let response = request.serializingData().response
        try await tracer.waitForActive("GET")
        await mock.virtualClock.settle()
        request.cancel()
        #expect(await response.error?.isExplicitlyCancelledError == true)
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["error.type"] } == ["cancelled"])
        #expect(trace.requests.map { $0["error.type"] } == ["cancelled"])
        #expect(trace.attempts.first?.status?.code == .error)
        trace.expectNesting()
    }

    @Test("a request that is cancelled between two attempts ends its span at that time")
    func cancellationInPause() async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.status(.serviceUnavailable))
        }
        let session = Session(mock, tracer: tracer, interceptor: retrier(after: 60))
        let request = session.request("https://api.test/").validate()
        async let response = request.serializingData().response
        while mock.virtualClock.sleeperCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        await mock.virtualClock.advance(by: .seconds(20))
        request.cancel()
        _ = await response
        let trace = try await tracer.spans()
        #expect(trace.requests.map { $0["error.type"] } == ["cancelled"])
        #expect(trace.requests.map(\.duration) == [.seconds(20)])
        #expect(trace.attempts.map { $0["error.type"] } == ["503"])
        trace.expectNesting()
    }

    @Test("a request that fails before it is sent has a span without an attempt")
    func adaptation() async throws {
        struct Refused: Error {}
        let mock = MockTransport { Route(.get, "/").reply(.text("x")) }
        let adapter = Interceptor(adapters: [Adapter { _, _, completion in completion(.failure(Refused())) }])
        let session = Session(mock, tracer: tracer, interceptor: adapter)
        _ = await session.request("https://api.test/").serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.attempts.isEmpty)
        #expect(trace.requests.map { $0["error.type"] } == ["requestAdaptationFailed"])
    }
}
