public import AirframeTransport

extension CacheLayer {
    /// Wraps `base` with a `URLCache` as the store.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - cache: The stored responses.
    ///   - policy: The cache's rules.
    ///   - decoding: Decodes content for a `CacheDecision`.
    public init(
        _ base: any Transport,
        cache: URLCache,
        policy: CachePolicy = .private,
        decoding: Decoding? = nil
    ) {
        self.init(base, store: cache.store, policy: policy, decoding: decoding)
    }
}
