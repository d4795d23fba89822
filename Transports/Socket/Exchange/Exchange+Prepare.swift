internal import AirframeTransport
internal import Glibc

/// Connections that are opened in advance.
extension Exchange {
    /// Acquires a connection from the pool, opens one if there is none, and returns it to the pool unused.
    func openConnection() async throws(TransportError) -> TransportConnection {
        reporter.start(plan.head.shared)
        do throws(TransportError) {
            let opening = try begin()
            if case .ready = opening {} else { try await finish(opening) }
            guard let lease = lease.take() else { throw lost(ECONNRESET) }
            if lease.connection.isMultiplexed { lease.stream.cancel() }
            let fate = giveBack(lease, nil)
            reporter.release(fate, at: nil)
            engine.endExchange()
            return lease.information
        } catch {
            fail(error)
            throw error
        }
    }
}
