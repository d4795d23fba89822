/// The limits of a connection pool.
struct PoolLimits: Sendable {
    /// The maximum number of connections.
    var total = Int.max
    /// The maximum number of connections to one origin.
    var perOrigin = Int.max
    /// The maximum number of requests that wait for a connection.
    var waiting = Int.max
    /// The maximum number of idle connections.
    var idle = 256
    /// How long an idle connection is kept, in nanoseconds.
    var idleAge = Int64.max
    /// How long a connection accepts new requests, in nanoseconds.
    var age = Int64.max
}
