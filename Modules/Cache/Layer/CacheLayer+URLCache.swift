public import AirframeTransport

extension CacheLayer {
    /// Wraps `base` with the responses of a `URLCache`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - cache: The stored responses.
    ///   - policy: The cache's rules.
    ///   - decoding: Undoes content codings for a `CacheDecision`.
    public init(
        _ base: any Transport,
        cache: URLCache,
        policy: CachePolicy = .private,
        decoding: Decoding? = nil
    ) {
        self.init(base, store: cache.store, policy: policy, decoding: decoding)
    }
}
