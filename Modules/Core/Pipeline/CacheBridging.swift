internal import AirframeLayers
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

extension Request {
    /// Adds the decision on caching.
    ///
    /// If the user has chosen a cache or a handler, a response that is received as data is stored even if it is stale
    /// and cannot be validated, as Foundation does (Docs/Decisions/0135-stale-responses-on-request.md).
    func addCacheDecision(to request: inout TransportRequest, for task: URLSessionTask) {
        if let decide = cacheDecision(for: task) { request[CacheDecision.self] = decide }
        let isChosen = context.hasChosenURLCache || context.hasCachedResponseHandler || cachedResponseHandler != nil
        if isChosen, self is DataRequest { request[StoresStaleResponse.self] = true }
    }

    /// The request's handler that decides on caching, or else the session's.
    private var currentCachedResponseHandler: (any CachedResponseHandler)? {
        cachedResponseHandler ?? context.cachedResponseHandler
    }

    /// Returns the decision of the request's or the session's handler on caching. `nil` if neither has one, and for
    /// responses that are not received as data.
    func cacheDecision(for task: URLSessionTask) -> CacheDecision.Value {
        guard let task = task as? URLSessionDataTask else { return nil }
        let monitors = monitors.flatMap { $0.wants(.tasks) ? $0 : nil }
        guard currentCachedResponseHandler != nil || monitors != nil else { return nil }
        return { candidate in
            let proposed = CachedURLResponse(candidate)
            monitors?.urlSession(self.context.urlSession, dataTask: task, willCacheResponse: proposed)
            // Read now: the request may have got its handler after its start.
            guard let handler = self.currentCachedResponseHandler else { return candidate }
            let answer = try? await FirstAnswer<CachedURLResponse?>.wait { answer in
                handler.dataTask(task, willCacheResponse: proposed) { answer.give(.success($0)) }
            }
            guard let chosen = answer ?? nil, chosen.storagePolicy != .notAllowed else { return nil }
            return chosen === proposed ? candidate : candidate.replaced(by: chosen)
        }
    }
}

extension TransportRequest {
    /// Passes the cache policy on to the layer that caches.
    ///
    /// - Throws: `URLError.resourceUnavailable` if only a cache may answer and there is none.
    mutating func apply(_ policy: URLRequest.CachePolicy, on transport: any Transport) throws {
        guard policy != .useProtocolCachePolicy else { return }
        guard transport.capabilities.features.contains(.responseCache) else {
            guard policy == .returnCacheDataDontLoad else { return }
            let message = """
                The request must be answered from a cache (returnCacheDataDontLoad), and the session has no cache.
                """
            throw URLError(.resourceUnavailable, userInfo: [NSLocalizedDescriptionKey: message])
        }
        self[CacheUse.self] = CacheUse(policy)
    }
}

extension CacheUse {
    fileprivate init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .useProtocolCachePolicy: self = .byProtocol
        case .reloadIgnoringLocalCacheData: self = .reload
        case .returnCacheDataElseLoad: self = .preferCached
        case .returnCacheDataDontLoad: self = .onlyCached
        case .reloadIgnoringLocalAndRemoteCacheData: self = .reloadEverywhere
        case .reloadRevalidatingCacheData: self = .revalidate
        }
    }
}

extension CachedURLResponse {
    /// Creates Foundation's form of a response that a layer is about to store.
    fileprivate convenience init(_ candidate: CacheableResponse) {
        self.init(
            response: HTTPURLResponse(url: candidate.request.targetURL, head: candidate.head, httpVersion: nil),
            data: candidate.data,
            userInfo: candidate.userInfo.isEmpty ? nil : candidate.userInfo,
            storagePolicy: StoragePolicy(candidate.storage)
        )
    }
}

extension CachedURLResponse.StoragePolicy {
    fileprivate init(_ storage: CacheableResponse.Storage) {
        switch storage {
        case .anywhere: self = .allowed
        case .memory: self = .allowedInMemoryOnly
        case .nowhere: self = .notAllowed
        }
    }
}

extension CacheableResponse {
    /// Returns this response as a handler changed it.
    fileprivate func replaced(by chosen: CachedURLResponse) -> CacheableResponse {
        var replaced = self
        if let response = chosen.response as? HTTPURLResponse {
            replaced.head = HTTPResponse(
                status: .init(code: response.statusCode),
                headerFields: response.headerFields
            )
        }
        replaced.data = chosen.data
        replaced.userInfo = chosen.userInfo ?? [:]
        replaced.storage = chosen.storagePolicy == .allowedInMemoryOnly ? .memory : .anywhere
        return replaced
    }
}
