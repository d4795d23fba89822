/// A handler with the common decisions on caching.
public struct ResponseCacher: Sendable {
    /// The decision.
    public enum Behavior: Sendable {
        /// Caches the response.
        case cache
        /// Does not cache the response.
        case doNotCache
        /// Caches the closure's response, or none if it returns `nil`.
        case modify(@Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?)
    }

    /// Caches every cacheable response.
    public static let cache = ResponseCacher(behavior: .cache)
    /// Caches no response.
    public static let doNotCache = ResponseCacher(behavior: .doNotCache)

    /// The decision.
    public let behavior: Behavior

    /// Creates a cacher.
    public init(behavior: Behavior) { self.behavior = behavior }
}

extension ResponseCacher: CachedResponseHandler {
    /// Decides according to ``behavior``.
    public func dataTask(
        _ task: URLSessionDataTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping (CachedURLResponse?) -> Void
    ) {
        switch behavior {
        case .cache: completion(response)
        case .doNotCache: completion(nil)
        case .modify(let closure): completion(closure(task, response))
        }
    }
}

extension CachedResponseHandler where Self == ResponseCacher {
    /// Caches every cacheable response.
    public static var cache: ResponseCacher { .cache }
    /// Caches no response.
    public static var doNotCache: ResponseCacher { .doNotCache }

    /// Caches the response that a closure returns.
    public static func modify(
        using closure: @escaping @Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
