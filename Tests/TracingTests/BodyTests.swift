import AirframeCore
import AirframeLayers
import AirframeMock
import AirframeSerialization
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes
import InMemoryTracing
import Synchronization
import Testing
import Tracing

@Suite("Bodies", .timeLimit(.minutes(1)))
struct BodyTests {
    let tracer = TestTracer()

    @Test("a span ends with the last byte of the response")
    func lastByte() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.data(Data(count: 1000)).throttled(bytesPerSecond: 100, chunkSize: 100))
        }
        let session = Session(mock, tracer: tracer)
        _ = await session.request("http://api.test/").serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.attempts.first?["http.response.body.size"] == 1000)
        let duration = try #require(trace.attempts.first?.duration)
        #expect(duration >= .seconds(9) && duration <= .seconds(10))
        #expect(mock.virtualClock.elapsed == duration)
        trace.expectNesting()
    }

    @Test("a stream's span ends with its last piece")
    func stream() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.data(Data(count: 300)).throttled(bytesPerSecond: 100, chunkSize: 100))
        }
        let session = Session(mock, tracer: tracer)
        let task = session.streamRequest("http://api.test/").streamTask()
        var count = 0
        for await stream in task.streamingData() { count += stream.value?.count ?? 0 }
        #expect(count == 300)
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.body.size"] } == [300])
        #expect(trace.attempts.first?["error.type"] == nil)
        #expect(trace.requests.count == 1)
        trace.expectNesting()
    }

    @Test("a stream that is cancelled halfway ends its spans once")
    func cancelledStream() async throws {
        let mock = MockTransport(configuration: .init(clock: VirtualClock(.manual))) {
            Route(.get, "/").reply(.data(Data(count: 300)).failing(with: .stall(afterBytes: 100)))
        }
        let session = Session(mock, tracer: tracer)
        let request = session.streamRequest("http://api.test/")
        for await stream in request.streamTask().streamingData() where stream.value != nil { request.cancel() }
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["error.type"] } == ["cancelled"])
        #expect(trace.attempts.map { $0["http.response.body.size"] } == [100])
        trace.expectNesting()
    }

    @Test("an upload's span has the number of sent bytes")
    func upload() async throws {
        let mock = MockTransport { Route(.put, "/").reply(.status(.noContent)) }
        let session = Session(mock, tracer: tracer)
        _ = await session.upload(Data(count: 200_000), to: "http://api.test/", method: .put)
            .serializingData(emptyResponseCodes: [204]).response
        let attempt = try #require(try await tracer.spans().attempts.first)
        #expect(attempt.operationName == "PUT")
        #expect(attempt["http.request.body.size"] == 200_000)
        #expect(attempt["http.response.body.size"] == nil)
    }

    @Test("a download is traced as any other request")
    func download() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.data(Data(count: 5000))) }
        let session = Session(mock, tracer: tracer)
        let response = await session.download("http://api.test/").serializingData().response
        #expect(response.value?.count == 5000)
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.body.size"] } == [5000])
        trace.expectNesting()
    }

    @Test("a body that is dropped ends its span")
    func droppedBody() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.data(Data(count: 300)).failing(with: .stall(afterBytes: 100)))
        }
        let transport = TracingTransport(mock, tracer: tracer)
        do {
            let response = try await transport.send(.get("http://api.test/"))
            _ = try await response.body.next()
        }
        #expect(try await tracer.spans().attempts.map { $0["error.type"] } == ["cancelled"])
    }

    @Test("a transport without events has a span too")
    func silentTransport() async throws {
        let silent = ClosureTransport(engine: "silent") { request throws(TransportError) in
            guard request.head.path == "/" else {
                throw TransportError(.connectionLost, phase: .responseHead, processing: .unknown, message: "gone")
            }
            return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        let session = Session(silent, tracer: tracer)
        _ = await session.request("http://api.test/").serializingData(emptyResponseCodes: [200]).response
        _ = await session.request("http://api.test/gone").serializingData().response
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["error.type"] } == [nil, "connectionLost"])
        trace.expectNesting()
    }

    @Test("a request's span includes an abandoned exchange that ends later")
    func lateEnd() async throws {
        let transport = LateTransport()
        let session = Session(transport, tracer: tracer)
        let request = session.request("http://api.test/")
        async let response = request.serializingData().response
        try await tracer.waitForActive("GET")
        request.cancel()
        #expect(await response.error?.isExplicitlyCancelledError == true)
        #expect(tracer.memory.finishedSpans.isEmpty)
        transport.fail()
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["error.type"] } == ["cancelled"])
        #expect(trace.requests.count == 1)
        trace.expectNesting()
    }

    @Test("a handshake is an attempt that lasts as long as its stream, and carries the context")
    func handshake() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .upgrade(to: "echo") { client in
                    while let data = try await client.read() { try await client.write(data) }
                }
            )
        }
        var request = TransportRequest.get("http://api.test/")
        request.upgrade = .token("echo")
        let response = try await TracingTransport(mock, tracer: tracer).send(request)
        let stream = try #require(response.stream)
        try await stream.write(Data("x".utf8))
        #expect(try await stream.read() == Data("x".utf8))
        #expect(!tracer.memory.finishedSpans.contains { $0.operationName == "GET" })
        stream.close()
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.status_code"] } == [101])
        #expect(mock.requests.first?.headerFields[values: .traceparent] == trace.attempts.map(\.traceparent))
    }

    @Test("further exchanges of a layer beneath belong to the same attempt, which the last one ends")
    func layersBeneath() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.sequence([.redirect(to: "/"), .text("ok")])) }
        // Beneath the tracing layer a redirect is not a separate attempt.
        let transport = TracingTransport(RedirectLayer(mock), tracer: tracer)
        let response = try await transport.send(.get("http://api.test/"))
        #expect(try await response.body.collect(upTo: 10).count == 2)
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.status_code"] } == [200])
        #expect(trace.attempts.first?.status == nil)
    }
}

/// An engine that reports the end of an exchange long after it was abandoned.
private final class LateTransport: Transport {
    private final class Endless: ResponseBodySource {
        func next() async throws(TransportError) -> Data? {
            while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            throw .cancelled(in: .responseBody, processing: .unknown)
        }
        func cancel() {}
    }

    let capabilities = TransportCapabilities(engine: "late", features: TransportFeatures(rawValue: .max))
    private let request = Mutex<TransportRequest?>(nil)

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        self.request.withLock { $0 = request }
        request.report(.started(request.head), on: clock)
        return TransportResponse(
            head: HTTPResponse(status: .ok),
            body: ResponseBody(Endless()),
            request: request.head
        )
    }

    func fail() {
        let error = TransportError.cancelled(in: .responseBody, processing: .unknown)
        request.withLock { $0 }?.report(.failed(error), on: clock)
    }
}

extension TransportRequest {
    /// A request for an absolute URL.
    static func get(_ url: String) -> TransportRequest {
        let components = URLComponents(string: url)
        return TransportRequest(
            HTTPRequest(
                method: .get,
                scheme: components?.scheme,
                authority: (components?.host ?? "") + (components?.port.map { ":\($0)" } ?? ""),
                path: components?.path
            )
        )
    }
}
