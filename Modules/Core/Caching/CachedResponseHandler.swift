/// Decides which responses are cached.
public protocol CachedResponseHandler: Sendable {
    /// Decides whether to cache a response.
    ///
    /// - Parameters:
    ///   - task: The task whose response it is.
    ///   - response: The response to cache.
    ///   - completion: Receives the response to store, or `nil` to store none.
    func dataTask(
        _ task: URLSessionDataTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping (CachedURLResponse?) -> Void
    )
}
