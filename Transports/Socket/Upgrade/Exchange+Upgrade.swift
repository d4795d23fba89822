internal import AirframeTransport
internal import FoundationEssentials

/// An exchange that turns into a two-way stream.
extension Exchange {
    /// Returns the stream that follows the response's head.
    func makeStream() -> (any DuplexStream)? {
        guard let connection, let entry else { return nil }
        // The head may have arrived together with the first bytes of the stream.
        return TunnelStream(self, connection, entry, pending: takePending())
    }

    /// Releases the connection once the stream is closed.
    func endTunnel(_ entry: PoolEntry) {
        connection = nil
        engine.pool.giveBackPermit(to: entry)
        outlet?.emit(.released(.closed(reason: HTTP1CloseReason.tunnel.rawValue)), isLast: true)
        engine.endExchange()
    }
}
