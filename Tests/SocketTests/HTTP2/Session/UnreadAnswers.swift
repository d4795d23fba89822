import AirframeConformance
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("A server that does not read the answers to its frames (RFC 9113 §10.5)", .timeLimit(.minutes(1)))
struct UnreadAnswers {
    /// Content that pays for one PING each.
    private static let round = Array(
        repeating: [HTTP2Frame.data(Array(repeating: 1, count: 256)), .ping], count: 16
    ).flatMap { $0 }

    private func begin() throws -> (MemoryServer, HTTP2StreamState) {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        return (server, stream)
    }

    private func receiveRound(_ server: MemoryServer, _ stream: HTTP2StreamState) {
        server.receive(Self.round)
        _ = StreamTranscript(stream)
        server.session.returnCredit(for: stream)
    }

    @Test("ends the connection before much memory is used")
    func bound() throws {
        let (server, stream) = try begin()
        var count = 0
        while server.session.failure == nil, count < 20_000 {
            receiveRound(server, stream)
            count += 1
        }
        #expect(server.session.failure?.message.contains("does not read") == true)
        #expect(server.session.failure?.wireCode == .enhanceYourCalm)
        #expect(server.session.output.count < 2 << 20)
    }

    @Test("a server that reads them may go on")
    func read() throws {
        let (server, stream) = try begin()
        for _ in 0..<6_000 {
            receiveRound(server, stream)
            server.session.write { min($0.count, 1_000) }
        }
        #expect(server.session.failure == nil)
    }

    @Test("requests that wait for a server that does not read are no flood")
    func requests() throws {
        let server = try MemoryServer(settings: [(3, 1_000)])
        let path = "/" + String(repeating: "a", count: 4_000)
        for _ in 0..<1_000 {
            let request = HTTPRequest(method: .get, scheme: "https", authority: "test.example", path: path)
            _ = try server.session.open(HTTP2RequestHead(request))
        }
        server.receive([.ping])
        #expect(server.session.output.count > 1 << 20)
        #expect(server.session.failure == nil)
    }
}
