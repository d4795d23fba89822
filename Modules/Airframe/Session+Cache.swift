internal import AirframeCache
internal import AirframeCore
internal import AirframeTransport

extension Session {
    /// Returns `transport` with the cache of a configuration around it.
    ///
    /// A cache that the user set is always used. The shared cache and that of an ephemeral configuration are left out
    /// if the transport already claims a cache, for example because of another layer or a test double that claims every
    /// feature.
    static func caching(_ transport: any Transport, _ configuration: URLSessionConfiguration) -> any Transport {
        switch configuration.urlCacheState {
        case .none: return transport
        case .object: break
        case .shared, .own: if transport.capabilities.features.contains(.responseCache) { return transport }
        }
        guard let cache = configuration.urlCache else { return transport }
        return CacheLayer(transport, cache: cache, decoding: { StoredContent.decoded($0, $1) })
    }
}
