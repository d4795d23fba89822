extension URLRequest {
    /// Whether a cache may answer.
    ///
    /// A session has a cache if one of its layers is one (``TransportFeatures/responseCache``): the umbrella's sessions
    /// have one by `URLSessionConfiguration.urlCache`. Without a cache ``returnCacheDataDontLoad`` fails every request, before anything is sent, with
    /// `URLError.resourceUnavailable`. All other cases load from the network, and none of them adds a header field: a
    /// cache on the way to the server may answer.
    public enum CachePolicy: UInt, Sendable, Hashable {
        /// As the rules of HTTP caching say (RFC 9111). Without a cache: from the network.
        case useProtocolCachePolicy = 0
        /// Never from the local cache. Without a cache: from the network, which is what it asks for.
        case reloadIgnoringLocalCacheData = 1
        /// From the cache whatever its age, else from the network. Without a cache: from the network.
        case returnCacheDataElseLoad = 2
        /// From the cache whatever its age, and never from the network. Without a cache: an error.
        case returnCacheDataDontLoad = 3
        /// Neither from the local cache nor from one on the way. Without a cache: from the network; no field is added
        /// that would tell caches on the way.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// From the cache if the server confirms that it is current. Without a cache: from the network.
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
