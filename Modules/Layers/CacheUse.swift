public import AirframeTransport

/// Whether and when a cache layer may answer a request.
///
/// A layer that caches adds ``TransportFeatures/responseCache`` to its capabilities and reads this value. Without such
/// a layer a session rejects requests with ``onlyCached``, and sends all others to the server.
public enum CacheUse: Sendable, Hashable, TransportRequestKey {
    /// By the rules of HTTP caching (RFC 9111).
    case byProtocol
    /// Not from the layer's store; the response may be stored.
    case reload
    /// From the store regardless of its age, else from the network.
    case preferCached
    /// From the store regardless of its age, never from the network.
    case onlyCached
    /// Neither from the store nor from a cache on the way to the server.
    case reloadEverywhere
    /// From the store if the server confirms that the response is current.
    case revalidate

    /// By the rules of HTTP caching.
    public static var defaultValue: CacheUse { .byProtocol }
}
