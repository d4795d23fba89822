import AirframeConformance
import AirframeTransport
import Testing

@testable import AirframeSocket

@Suite("The end of writing over TLS", .timeLimit(.minutes(1)))
struct CloseNotifyTests {
    @Test("close_notify waits for room (RFC 8446 §6.1)")
    func room() async throws {
        let peer = try RawPeer(PeerScenario(tls: PeerTLS(), .awaitClose))
        defer { peer.stop() }
        let line = try RelayedLine(to: peer)
        let origin = Origin(scheme: "https", host: "localhost")
        let tunnel = TunnelStream(
            try line.secure(), BufferPool(), origin: origin, pending: nil, spin: { nil }, onEnd: {})
        let count = line.fill()
        let end = Task { try await tunnel.finishWriting() }
        // Enough for the task to find no room. If it starts later, the test passes.
        try await Task.sleep(for: .milliseconds(100))
        #expect(line.read(count))
        try await end.value
        #expect(line.read(1), "close_notify was lost")
        // When it is released, the stream would send close_notify.
        withExtendedLifetime(tunnel) {}
    }

    @Test("a tunnel that is closed sends close_notify before the end of the connection (RFC 8446 §6.1)")
    func closing() throws {
        let peer = try RawPeer(PeerScenario(tls: PeerTLS(), .awaitClose))
        defer { peer.stop() }
        let line = try RelayedLine(to: peer)
        let origin = Origin(scheme: "https", host: "localhost")
        let tunnel = TunnelStream(
            try line.secure(), BufferPool(), origin: origin, pending: nil, spin: { nil }, onEnd: {})
        tunnel.close()
        #expect(line.read(1), "close_notify was not sent")
        withExtendedLifetime(tunnel) {}
    }
}
