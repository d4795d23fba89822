internal import Synchronization

extension MockTransport {
    /// The numbers of the connections that are kept for reuse.
    public var idleConnectionIDs: [UInt64] { state.withLock { $0.pool.idleIDs } }

    /// The number of connections that are open or about to be.
    public var connectionCount: Int { state.withLock { $0.pool.count } }

    /// Has the servers close the connections that are kept, as they do when these have been idle for long. The engine
    /// notices: the next request gets a new one. See ``Reply/closedWhenReused()`` for an engine that does not in time.
    ///
    /// - Returns: The number of connections that were closed.
    @discardableResult
    public func closeIdleConnections() -> Int {
        state.withLock { $0.pool.closeIdle() }
    }
}
