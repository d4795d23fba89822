extension URLRequest {
    /// The use of caches.
    ///
    /// A session has a cache if one of its layers is one (``TransportFeatures/responseCache``); the umbrella's sessions
    /// have the one in `URLSessionConfiguration.urlCache`. Without a cache, ``returnCacheDataDontLoad`` fails every
    /// request before it is sent, with `URLError.resourceUnavailable`. All other cases load from the network without
    /// adding a header field, so that an intermediate cache may answer.
    public enum CachePolicy: UInt, Sendable, Hashable {
        /// As the rules of HTTP caching say (RFC 9111). Without a cache: from the network.
        case useProtocolCachePolicy = 0
        /// Never from the local cache. Without a cache: from the network, which is what it asks for.
        case reloadIgnoringLocalCacheData = 1
        /// From the cache regardless of its age, else from the network. Without a cache: from the network.
        case returnCacheDataElseLoad = 2
        /// From the cache regardless of its age, and never from the network. Without a cache: an error.
        case returnCacheDataDontLoad = 3
        /// Neither from the local cache nor from an intermediate one. Without a cache: from the network. No field is
        /// added that would instruct intermediate caches.
        case reloadIgnoringLocalAndRemoteCacheData = 4
        /// From the cache if the server confirms that it is current. Without a cache: from the network.
        case reloadRevalidatingCacheData = 5

        /// Never from the local cache.
        public static let reloadIgnoringCacheData = CachePolicy.reloadIgnoringLocalCacheData
    }

    /// The purpose of a request.
    public enum NetworkServiceType: UInt, Sendable, Hashable {
        /// No particular purpose.
        case `default` = 0
        /// Calls.
        case voip = 1
        /// Video.
        case video = 2
        /// Work in the background.
        case background = 3
        /// Audio.
        case voice = 4
        /// Data that the user waits for.
        case responsiveData = 6
        /// Audio and video streams.
        case avStreaming = 8
        /// Interactive audio and video streams.
        case responsiveAV = 9
        /// The signals of a call.
        case callSignaling = 11
    }
}
