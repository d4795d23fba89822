import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Unix sockets", .timeLimit(.minutes(1)))
struct UnixSocketTests {
    private func request(_ listener: FullUnixListener) -> TransportRequest {
        TransportRequest(.get, "http://localhost/").with { $0.options.unixSocketPath = listener.path }
    }

    @Test("a connection waits while the server's queue is full (connect(2))")
    func fullQueue() async throws {
        let listener = try FullUnixListener()
        let transport = SocketTransport()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await transport.text(request(listener)) } }
            try await Task.sleep(for: .milliseconds(50))
            listener.answer(8)
            for try await text in group { #expect(text == "ok") }
        }
    }

    @Test("the limit on connecting ends the wait")
    func limit() async throws {
        let listener = try FullUnixListener()
        let transport = SocketTransport()
        let codes = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await transport.failure(
                        of: request(listener).with {
                            $0.options.limits.connect = .milliseconds(100)
                            $0.options.limits.firstByte = .milliseconds(100)
                        })
                }
            }
            return await group.reduce(into: [TransportError.Code?]()) { $0.append($1?.code) }
        }
        #expect(codes == Array(repeating: .timedOut, count: 8))
    }
}
