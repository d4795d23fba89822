/// A snapshot of a transport's connections.
public struct PoolStatistics: Sendable, Hashable {
    /// The number of connections, including those that are being opened.
    public let connectionCount: Int
    /// The number of idle connections.
    public let idleConnectionCount: Int
    /// The number of requests that wait for a connection.
    public let waitingRequestCount: Int

    /// The number of connections that are in use or being opened.
    public var busyConnectionCount: Int { connectionCount - idleConnectionCount }
}
