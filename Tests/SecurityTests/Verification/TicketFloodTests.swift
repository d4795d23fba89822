import AirframeSecurity
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Session tickets (RFC 8446 §4.6.1) in great number", .serialized, .timeLimit(.minutes(2)))
struct TicketFloodTests {
    private let trusting = ClosureTrustEvaluator { _, _ in }

    private func fetch(ticketCount: Int) async throws -> TransportResponse {
        let server = try OpenSSLServer(
            "valid", try PKI.made(), arguments: ["-tls1_3", "-num_tickets", "\(ticketCount)"])
        defer { server.stop() }
        let transport = SocketTransport()
        defer { Task { await transport.shutdown() } }
        return try await LiveRequest.fetch(transport, trusting, port: server.port) { request in
            request.options.httpVersion = .http1Only
        }
    }

    @Test("are read before the response")
    func many() async throws {
        #expect(try await fetch(ticketCount: 1000).head.status == .ok)
    }

    /// OpenSSL reads them in one call, which would keep the thread, and with it the reactor's poll.
    @Test("end the connection once they have more than 1 MiB without content")
    func tooMany() async throws {
        let error = try await #require(throws: TransportError.self) { try await fetch(ticketCount: 10_000) }
        #expect(error.code == .connectionLost)
        #expect(error.libraryMessage == "OpenSSL: the server sent 1 MiB of TLS messages without content", "\(error)")
    }
}
