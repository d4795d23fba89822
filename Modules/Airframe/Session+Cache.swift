internal import AirframeCache
internal import AirframeCore
internal import AirframeTransport

extension Session {
    /// Returns `transport` with the cache that a configuration names around it.
    ///
    /// A cache that the configuration was given is always used. The shared one, and an ephemeral configuration's own,
    /// are left out where the transport answers from a cache itself (another layer, or a test double that claims every
    /// feature). A session without a cache has a layer that serves requests with their own store
    /// (`CacheSettings`).
    static func caching(_ transport: any Transport, _ configuration: URLSessionConfiguration) -> any Transport {
        let decoding: CacheLayer.Decoding = { StoredContent.decoded($0, $1) }
        let isLeftOut: Bool
        switch configuration.urlCacheState {
        case .none: isLeftOut = true
        case .object: isLeftOut = false
        case .shared, .own: isLeftOut = transport.capabilities.features.contains(.responseCache)
        }
        guard !isLeftOut, let cache = configuration.urlCache else {
            return CacheLayer(withoutStore: transport, decoding: decoding)
        }
        return CacheLayer(transport, cache: cache, decoding: decoding)
    }
}
