extension URLRequest {
    /// Whether a cache may answer. Sessions without a cache treat all policies alike, save for
    /// ``returnCacheDataDontLoad``.
    public enum CachePolicy: UInt, Sendable, Hashable {
        /// As the rules of HTTP caching say (RFC 9111).
        case useProtocolCachePolicy = 0
        /// Never from the local cache.
        case reloadIgnoringLocalCacheData = 1
        /// From the cache whatever its age, else from the network.
        case returnCacheDataElseLoad = 2
        /// From the cache whatever its age, and never from the network.
        case returnCacheDataDontLoad = 3
        /// Neither from the local cache nor from one on the way.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// From the cache if the server confirms that it is current.
        case reloadRevalidatingCacheData = 5

        /// Never from the local cache.
        public static let reloadIgnoringCacheData = CachePolicy.reloadIgnoringLocalCacheData
    }

    /// What a request is for.
    public enum NetworkServiceType: UInt, Sendable, Hashable {
        /// Nothing in particular.
        case `default` = 0
        /// Calls.
        case voip = 1
        /// Moving pictures.
        case video = 2
        /// Work that nobody waits for.
        case background = 3
        /// Sound.
        case voice = 4
        /// What a user waits for.
        case responsiveData = 6
        /// Streams of sound and pictures.
        case avStreaming = 8
        /// Streams that react to the user.
        case responsiveAV = 9
        /// The signals of a call.
        case callSignaling = 11
    }
}
