internal import AirframeCache
internal import AirframeCore
internal import AirframeTransport

extension Session {
    /// `transport` with the cache that a configuration names around it.
    ///
    /// A cache that the configuration was given is always used. The shared one, and an ephemeral configuration's own, are
    /// left out where the transport says that it answers from a cache itself: another layer does, or a test double that
    /// claims every feature.
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
