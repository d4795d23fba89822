/// How many connections a pool has, and for how long.
struct PoolLimits: Sendable {
    /// The most connections at once.
    var total = Int.max
    /// The most connections to one origin at once.
    var perOrigin = Int.max
    /// The most requests that wait for a connection.
    var waiting = Int.max
    /// The most connections that wait for a request.
    var idle = 256
    /// How long a connection waits for a request, in nanoseconds.
    var idleAge = Int64.max
    /// How long a connection is used, in nanoseconds.
    var age = Int64.max
}
