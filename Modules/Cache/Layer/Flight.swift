internal import AirframeTransport

/// A request that was sent to the server for a response that other requests may share.
struct Flight: Sendable {
    /// The result of a flight for its followers.
    indirect enum FollowerResult: Sendable {
        /// A response that is being read and stored.
        case shared(SharedBody)
        /// A response that is in the store.
        case stored
        /// A stored response that the server has confirmed, or that stands in for an error of the server; with the
        /// reason to serve it.
        case validated(CacheEntry, reason: String)
        /// A response that only the leader may use.
        case unshared
        /// The request failed.
        case failed(TransportError)
    }

    /// The bucket of the request's key in ``Flights``. The key itself stays in the table: a copy of it takes four
    /// reference counts.
    let bucket: Int
    /// Distinguishes this flight from others.
    let number: UInt64
}
