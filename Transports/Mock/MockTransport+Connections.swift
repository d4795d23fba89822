internal import Synchronization

extension MockTransport {
    /// The numbers of the connections that are kept for reuse.
    public var idleConnectionIDs: [UInt64] { state.withLock { $0.pool.idleIDs } }

    /// The number of connections that are open or about to be.
    public var connectionCount: Int { state.withLock { $0.pool.count } }

    /// Has the servers close the idle connections, as servers do after a while. The engine notices, and the next
    /// request gets a new connection. See ``Reply/closedWhenReused()`` for an engine that does not notice in time.
    ///
    /// - Returns: The number of connections that were closed.
    @discardableResult
    public func closeIdleConnections() -> Int {
        state.withLock { $0.pool.closeIdle() }
    }
}
