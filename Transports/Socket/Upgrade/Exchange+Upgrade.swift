internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// An exchange that may turn into a two-way stream.
extension Exchange {
    /// Sends the request; returns the stream, or the response of a peer that declines.
    nonisolated(nonsending) func upgrade() async throws(TransportError) -> UpgradeResult {
        let response = try await send()
        guard framing == .tunnel, let connection, let entry else { return .declined(response) }
        // The head may have come with the first bytes of what follows it.
        let stream = TunnelStream(self, connection, entry, pending: takePending())
        return .upgraded(head: response.head, stream: stream, connection: information)
    }

    /// The stream that the exchange turned into is over.
    func endTunnel(_ entry: PoolEntry) {
        connection = nil
        engine.pool.giveBackPermit(to: entry)
        outlet?.emit(.released(.closed(reason: HTTP1CloseReason.tunnel.rawValue)), isLast: true)
        engine.endExchange()
    }
}
