/// The usual decisions on what goes into a cache.
public struct ResponseCacher: Sendable {
    /// What to do.
    public enum Behavior: Sendable {
        /// Keep the response.
        case cache
        /// Do not.
        case doNotCache
        /// Keep what the closure returns; nothing for `nil`.
        case modify(@Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?)
    }

    /// Keeps every response that may be kept.
    public static let cache = ResponseCacher(behavior: .cache)
    /// Keeps none.
    public static let doNotCache = ResponseCacher(behavior: .doNotCache)

    /// What to do.
    public let behavior: Behavior

    /// Makes a cacher.
    public init(behavior: Behavior) { self.behavior = behavior }
}

extension ResponseCacher: CachedResponseHandler {
    /// Does as ``behavior`` says.
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
    /// Keeps every response that may be kept.
    public static var cache: ResponseCacher { .cache }
    /// Keeps none.
    public static var doNotCache: ResponseCacher { .doNotCache }

    /// Keeps what a closure returns.
    public static func modify(
        using closure: @escaping @Sendable (URLSessionDataTask, CachedURLResponse) -> CachedURLResponse?
    ) -> ResponseCacher {
        ResponseCacher(behavior: .modify(closure))
    }
}
