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

@Suite("Contexts", .timeLimit(.minutes(1)))
struct ContextTests {
    let tracer = TestTracer()

    @Test("a request is a child of the span of its creator's task, whichever task resumes it")
    func maker() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let session = Session(mock, tracer: tracer)
        let request = tracer.withSpan("maker") { _ in
            session.request("http://api.test/", shouldAutomaticallyResume: false)
        }
        let maker = try #require(tracer.memory.finishedSpans.first)
        await tracer.withSpan("other") { _ in
            async let response = request.serializingData(automaticallyCancelling: false).response
            request.resume()
            _ = await response
        }
        let trace = try await tracer.spans()
        #expect(trace.requests.map(\.parentSpanID) == [maker.spanID])
        #expect(trace.spans.filter { $0.operationName != "other" }.allSatisfy { $0.traceID == maker.traceID })
    }

    @Test("concurrent requests belong to the spans of their creators")
    func concurrency() async throws {
        let mock = MockTransport {
            Route(.get, "/end").reply(.text("ok"))
            Route(.get, "/:id").reply(.redirect(to: "/end"))
        }
        let session = Session(mock, tracer: tracer)
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { [tracer] in
                    await tracer.withSpan("maker \(number)") { _ in
                        _ = await session.request("http://api.test/\(number)").serializingData().response
                    }
                }
            }
        }
        let trace = try await tracer.spans()
        #expect(trace.requests.count == 50 && trace.attempts.count == 100)
        for maker in trace.spans where maker.operationName.hasPrefix("maker") {
            let requests = trace.children(of: maker)
            #expect(requests.count == 1)
            let attempts = requests.flatMap { trace.children(of: $0) }
            let number = maker.operationName.dropFirst("maker ".count)
            #expect(attempts.map { $0["url.full"] } == [.string("http://api.test/\(number)"), "http://api.test/end"])
        }
        let sent = Set(mock.requests.flatMap { $0.headerFields[values: .traceparent] })
        #expect(sent == Set(trace.attempts.map(\.traceparent)))
    }

    @Test("without a span of the request's own, attempts are children of the caller's")
    func attemptsAlone() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([.status(.serviceUnavailable), .text("ok")]))
        }
        let session = Session(
            mock,
            tracer: tracer,
            TracingConfiguration(recordsRequests: false),
            interceptor: retrier(after: 1)
        )
        await tracer.withSpan("maker") { _ in
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        let trace = try await tracer.spans()
        let maker = try #require(trace.named("maker").first)
        #expect(trace.requests.isEmpty)
        #expect(trace.attempts.map(\.parentSpanID) == [maker.spanID, maker.spanID])
        #expect(trace.attempts.map { $0["http.request.resend_count"] } == [nil, 1])
    }

    @Test("the default tracer is that of the task that creates the request")
    func taskLocalTracer() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let session = Session(transport: mock, eventMonitors: [TracingMonitor()])
        await withTracer(tracer) {
            _ = await session.request("http://api.test/").serializingData().response
        }
        let trace = try await tracer.spans()
        #expect(trace.requests.count == 1 && trace.attempts.count == 1)
        #expect(mock.lastRequest?.headerFields[values: .traceparent] == trace.attempts.map(\.traceparent))
    }

    @Test("without a tracer nothing is recorded and nothing is sent")
    func noTracer() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let session = Session(transport: mock, eventMonitors: [TracingMonitor()])
        #expect(await session.request("http://api.test/").serializingString().response.value == "ok")
        #expect(mock.lastRequest?.headerFields[.traceparent] == nil)
    }

    @Test("a foreign server receives no context")
    func propagation() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.redirect(to: "https://elsewhere.test/b"))
            Route(.get, "/b").reply(.text("ok"))
        }
        let configuration = TracingConfiguration(propagates: { $0.host.hasSuffix("api.test") })
        let session = Session(mock, tracer: tracer, configuration)
        _ = await session.request("https://api.test/").serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.attempts.count == 2)
        #expect(mock.requests.map { $0.headerFields[.traceparent] } == [trace.attempts.first?.traceparent, nil])
    }

    @Test("a trace field that the user set is replaced once by the tracer's")
    func ownField() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let old = traceparent(String(repeating: "b", count: 32), String(repeating: "c", count: 16))
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/", headers: ["traceparent": old]).serializingData().response
        let trace = try await tracer.spans()
        #expect(mock.lastRequest?.headerFields[values: .traceparent] == trace.attempts.map(\.traceparent))
    }

    @Test("a transport without a session is traced beneath the caller's span")
    func bareTransport() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let transport = TracingTransport(mock, tracer: tracer)
        try await tracer.withSpan("caller") { _ in
            let response = try await transport.send(.get("http://api.test/"))
            _ = try await response.body.collect(upTo: 10)
        }
        let trace = try await tracer.spans()
        let caller = try #require(trace.named("caller").first)
        #expect(trace.requests.isEmpty)
        #expect(trace.attempts.map(\.parentSpanID) == [caller.spanID])
        #expect(mock.lastRequest?.headerFields[values: .traceparent] == trace.attempts.map(\.traceparent))
    }

    @Test("nested requests are children of the exchange")
    func withinAnExchange() async throws {
        let tracer = tracer
        let mock = MockTransport {
            Route(.get, "/") { _ in
                tracer.withSpan("within") { _ in }
                return .text("ok")
            }
        }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/").serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.named("within").first?.parentSpanID == trace.attempts.first?.spanID)
    }
}
