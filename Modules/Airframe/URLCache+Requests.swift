public import AirframeCache
public import AirframeCore
internal import Foundation
internal import HTTPTypes

extension URLCache {
    /// Returns the stored response for a request, fresh or stale, with its content decoded.
    ///
    /// - Returns: `nil` if nothing is stored for the URL and the fields that `Vary` names, or it cannot be read.
    public func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
        guard let head = try? request.head(), let (entry, content) = lookUp(head),
            let (shown, data) = StoredContent.decoded(entry.head, content)
        else { return nil }
        return CachedURLResponse(
            response: HTTPURLResponse(url: head.targetURL, head: shown, receivedHead: entry.head),
            data: data,
            userInfo: entry.userInfo.isEmpty ? nil : entry.userInfo,
            storagePolicy: entry.isMemoryOnly ? .allowedInMemoryOnly : .allowed
        )
    }

    /// Stores a response for a request, in place of one with the same URL and the same fields that `Vary` names.
    ///
    /// - Parameters:
    ///   - cachedResponse: The response. Nothing is stored if its policy is `.notAllowed`, or it is not one of HTTP.
    ///   - request: The request. Nothing is stored for one that is not for `http` or `https`.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
        guard cachedResponse.storagePolicy != .notAllowed, let head = try? request.head(),
            let response = cachedResponse.response as? HTTPURLResponse
        else { return }
        // The data is decoded, as `cachedResponse(for:)` returns it.
        var stored = response.head
        stored.headerFields[.contentEncoding] = nil
        stored.headerFields[.contentLength] = "\(cachedResponse.data.count)"
        insert(
            stored, cachedResponse.data, for: head,
            isMemoryOnly: cachedResponse.storagePolicy == .allowedInMemoryOnly,
            userInfo: cachedResponse.userInfo ?? [:])
    }

    /// Removes the responses stored for a request's URL.
    public func removeCachedResponse(for request: URLRequest) {
        guard let head = try? request.head() else { return }
        remove(head)
    }

    /// Passes the stored response for a task's request to a closure, synchronously.
    public func getCachedResponse(
        for dataTask: URLSessionDataTask,
        completionHandler: (CachedURLResponse?) -> Void
    ) {
        completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
    }

    /// Stores a response for a task's request.
    public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
    }

    /// Removes the responses stored for the URL of a task's request.
    public func removeCachedResponse(for dataTask: URLSessionDataTask) {
        if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
    }
}

extension URLCache {
    /// The places in which a response may be stored.
    public typealias StoragePolicy = CachedURLResponse.StoragePolicy
}
