/// How many connections a transport has at a moment, and what they do.
public struct PoolStatistics: Sendable, Hashable {
    /// All connections, with those that are being opened.
    public let connectionCount: Int
    /// The connections that wait for a request.
    public let idleConnectionCount: Int
    /// The requests that wait for a connection.
    public let waitingRequestCount: Int

    /// The connections that a request has, or that are being made for one.
    public var busyConnectionCount: Int { connectionCount - idleConnectionCount }
}
