/// Decides what goes into a cache.
public protocol CachedResponseHandler: Sendable {
    /// Decides on one response.
    ///
    /// - Parameters:
    ///   - task: The task whose response it is.
    ///   - response: The response that would be kept.
    ///   - completion: Takes what to keep, or `nil` for nothing.
    func dataTask(
        _ task: URLSessionDataTask,
        willCacheResponse response: CachedURLResponse,
        completion: @escaping (CachedURLResponse?) -> Void
    )
}
