import Airframe
import AirframeMock
import AirframeTracing
import Foundation
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

@Suite("Traces beneath the standard layers", .timeLimit(.minutes(1)))
struct UmbrellaTests {
    let tracer = TestTracer()

    private func session(_ mock: MockTransport) -> Session {
        Session(transport: mock, eventMonitors: [TracingMonitor(tracer: tracer)])
    }

    @Test("an answer to a challenge is a separate attempt, with its own context")
    func challenge() async throws {
        let mock = MockTransport {
            Route(.get, "/").when(header: .authorization).reply(.text("Ada"))
            Route(.get, "/").reply(.status(.unauthorized).header(.wwwAuthenticate, #"Basic realm="r""#))
        }
        let session = session(mock)
        let response = await session.request("https://api.test/")
            .authenticate(username: "me", password: "sesame").validate().serializingString().response
        #expect(response.value == "Ada")
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.status_code"] } == [401, 200])
        #expect(trace.attempts.map { $0["http.request.resend_count"] } == [nil, 1])
        #expect(mock.requests.flatMap { $0.headerFields[values: .traceparent] } == trace.attempts.map(\.traceparent))
        #expect(trace.requests.first?.events.map(\.name) == ["challenge answered"])
        #expect(trace.requests.first?.status == nil)
        trace.expectNesting()
    }

    @Test("a coded response's size is that on the wire, and its request's span ends when it is decoded")
    func codedContent() async throws {
        // "Ada" in gzip (RFC 1952).
        let coded = Data(base64Encoded: "H4sIAAAAAAACA3NMSQQAiME9tQMAAAA=") ?? Data()
        let mock = MockTransport { Route(.get, "/").reply(.data(coded).header(.contentEncoding, "gzip")) }
        let session = session(mock)
        let response = await session.request("https://api.test/").serializingString().response
        try #require(response.value == "Ada", "\(String(describing: response.error))")
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.body.size"] } == [.int64(Int64(coded.count))])
        trace.expectNesting()
    }

    @Test("a WebSocket's handshake is an attempt with its status, and the request's span ends with the connection")
    func webSocket() async throws {
        let mock = MockTransport {
            Route(.get, "/chat").reply(
                .webSocket { client in
                    while let message = try await client.receive() { try await client.send(message) }
                })
        }
        let session = session(mock)
        let socket = try await session.webSocket("wss://api.test/chat")
        try await socket.send("hello")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == .string("hello"))
        await socket.close()
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["http.response.status_code"] } == [101])
        #expect(trace.attempts.map { $0["error.type"] } == [nil])
        #expect(mock.requests.flatMap { $0.headerFields[values: .traceparent] } == trace.attempts.map(\.traceparent))
        #expect(trace.requests.count == 1)
        trace.expectNesting()
    }
}
