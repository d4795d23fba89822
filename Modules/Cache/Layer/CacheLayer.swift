internal import AirframeLayers
public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// Stores responses and answers requests with them (RFC 9111), over every engine.
///
/// The layer belongs beneath content decoding and above the engine: it stores the bytes that were received, which
/// lengths, ranges and validators refer to.
///
/// ```swift
/// let transport = ContentDecodingLayer(CacheLayer(engine, store: MemoryCacheStore()))
/// ```
///
/// A request's `CacheUse` controls whether stored responses may answer it, its `CacheDecision` which response is
/// stored, and its ``CacheSettings`` where.
public struct CacheLayer: ResponseProcessingLayer {
    /// Decodes the content of a response for a `CacheDecision`; `nil` if it cannot be decoded.
    public typealias Decoding = @Sendable (HTTPResponse, Data) async -> (HTTPResponse, Data)?

    /// The transport beneath.
    public var base: any Transport { parts.base }
    /// The store of responses.
    public var store: any CacheStore { parts.store ?? NoCacheStore.shared }
    /// The clock of the transport beneath.
    public var clock: any TransportClock { parts.clock }
    /// The cache's rules.
    public var policy: CachePolicy { parts.policy }

    var flights: Flights { parts.flights }
    var decoding: Decoding? { parts.decoding }

    let parts: CacheParts

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - store: The store of responses.
    ///   - policy: The cache's rules; those of a private cache by default.
    ///   - decoding: Decodes content, so that a `CacheDecision` gets decoded content. Without it decisions get the
    ///     content as it was received.
    public init(
        _ base: any Transport,
        store: any CacheStore,
        policy: CachePolicy = .private,
        decoding: Decoding? = nil
    ) {
        parts = CacheParts(base, store, policy, decoding)
    }

    /// Wraps `base` for requests that bring a store (``CacheSettings``). Other requests pass through.
    package init(withoutStore base: any Transport, decoding: Decoding?) {
        parts = CacheParts(base, nil, .private, decoding)
    }

    private init(_ parts: CacheParts) { self.parts = parts }

    /// The capabilities of the transport beneath, and a response cache.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        capabilities.features.insert(.responseCache)
        return capabilities
    }

    /// This layer's parts, or those for the store that `request` brings.
    private func parts(for request: TransportRequest) -> CacheParts {
        guard request.hasValues, let store = request[CacheSettings.self].store else { return parts }
        return parts.parts(for: store)
    }
}

// MARK: Requests

extension CacheLayer {
    /// Whether a stored response may answer `request`, or its response may be stored, or nothing else may answer it.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        (parts.hasStore || request.hasValues) && mustPerform(request, request.methodRole)
    }

    private func mustPerform(_ request: TransportRequest, _ role: MethodRole) -> Bool {
        guard parts.hasStore || request.hasValues else { return false }
        // A request that must not reach a server must not reach the transport beneath either.
        if request.isForCacheOnly { return true }
        return switch role {
        // Content in a GET has no defined meaning, and a cache that ignores it would mix requests up (RFC 9110 §9.3.1).
        case .get, .head: request.body.isNone && isConcerned(request)
        case .post: isConcerned(request)
        case .change, .inquiry: false
        }
    }

    private func isConcerned(_ request: TransportRequest) -> Bool {
        guard request.upgrade == nil else { return false }
        if parts.hasStore { return true }
        return request.hasValues && request[CacheSettings.self].store != nil
    }

    /// Whether only the cache may answer the request although it answers no requests of this kind.
    private func isUnanswerable(_ request: TransportRequest, _ role: MethodRole) -> Bool {
        guard request.isForCacheOnly else { return false }
        return switch role {
        case .get, .head: !request.body.isNone || request.upgrade != nil
        case .post, .change, .inquiry: true
        }
    }

    /// Answers `request` from the store, or sends it and stores the response.
    ///
    /// - Throws: The errors of the transport beneath; ``TransportError/Code/cacheMiss`` if only the cache may answer
    ///   the request and has no suitable response. The errors of the store are decisions.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await answer(request, request.methodRole)
    }

    /// Answers `request` from the store, or sends it and stores the response.
    @inline(__always)
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // Does the same as the implementation of `ResponseProcessingLayer` with fewer asynchronous calls, which took
        // 700 instructions of a miss (Docs/Decisions/0114-misses-are-cheap.md). Inlined into the protocol's witness,
        // which would be one more call.
        let role = request.methodRole
        if mustPerform(request, role) { return try await answer(request, role) }
        let response = try await base.send(request)
        guard mustProcess(response, status: response.head.status.code, to: request) else { return response }
        return try await process(response, to: request)
    }

    @inline(__always)
    private func answer(
        _ request: TransportRequest,
        _ role: MethodRole
    ) async throws(TransportError) -> TransportResponse {
        guard !isForOwnServer(request), !isForOtherHost(request), !isUnanswerable(request, role),
            let key = CacheKey(request)
        else {
            return try await bypass(request, role)
        }
        let parts = parts(for: request)
        let changeCount = parts.flights.changes.count
        switch parts.lookUpAtOnce(key, request, role) {
        case .missing(let flight):
            let arrival = parts.clock.now
            let response: TransportResponse
            do throws(TransportError) {
                response = try await parts.base.send(request)
            } catch {
                parts.flights.end(flight, .failed(error))
                throw error
            }
            if parts.passes(response, to: request, in: flight, since: arrival) { return response }
            return await CacheExchange(CacheLayer(parts), request, key, arrival, changeCount: changeCount)
                .receive(response, in: flight, .uriMiss)
        case .found(let entries):
            return try await CacheExchange(CacheLayer(parts), request, key).answer(with: entries)
        case .unknown: return try await answer(request, key, in: CacheLayer(parts))
        }
    }

    /// Whether another server may answer the request, whose responses do not belong in the session's store.
    private func isForOwnServer(_ request: TransportRequest) -> Bool {
        request.hasValues && request[OwnServer.self] && request[CacheSettings.self].store == nil
    }

    /// Whether the request's own `Host` names another server than its URL. A server answers by the `Host` that it
    /// receives, and a key has the URL's authority.
    private func isForOtherHost(_ request: TransportRequest) -> Bool {
        request.sharedHead.has(.host) && request.head.namesOtherHost
    }

    private func answer(
        _ request: TransportRequest,
        _ key: CacheKey,
        in layer: CacheLayer
    ) async throws(TransportError) -> TransportResponse {
        if request.methodRole == .post { return try await layer.sendPost(request, key) }
        let exchange = CacheExchange(layer, request, key)
        return try await exchange.answer(with: exchange.storedEntries())
    }

    /// Sends a request that the cache does not handle. A `POST` may change its target nevertheless.
    private func bypass(
        _ request: TransportRequest,
        _ role: MethodRole
    ) async throws(TransportError) -> TransportResponse {
        guard !request.isForCacheOnly else {
            throw TransportError(
                .cacheMiss, phase: .layer, processing: .notSent,
                message: "the request may be answered from the cache only: the cache does not handle such requests",
                origin: Origin(request.head))
        }
        let response = try await base.send(request)
        guard case .post = role, Self.isChange(response.head.status.code) else { return response }
        return try await process(response, to: request)
    }

    /// Whether the status says that a request may have changed its target (RFC 9111 §4.4).
    private static func isChange(_ status: Int) -> Bool { (200..<400).contains(status) }

    /// Whether `response` answers a request that changed its target.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - status: Its status code.
    ///   - request: The request, as it was sent.
    public func mustProcess(_ response: TransportResponse, status: Int, to request: TransportRequest) -> Bool {
        guard parts.hasStore || request.hasValues, Self.isChange(status), case .change = request.methodRole else {
            return false
        }
        return request.upgrade == nil
    }

    /// Removes the responses that are stored for the target of a request that changed it (RFC 9111 §4.4), and returns
    /// the response. Throws no error.
    public func process(
        _ response: TransportResponse,
        to request: TransportRequest
    ) async throws(TransportError) -> TransportResponse {
        guard let key = CacheKey(request) else { return response }
        let layer = CacheLayer(parts(for: request))
        guard layer.parts.hasStore else { return response }
        await CacheExchange(layer, request, key).invalidate(after: response.head)
        return response
    }

    /// Sends a `POST`, removes the responses stored for its target, and stores the response if it may be stored.
    private func sendPost(
        _ request: TransportRequest,
        _ key: CacheKey
    ) async throws(TransportError) -> TransportResponse {
        let exchange = CacheExchange(self, request, key)
        let response = try await base.send(request)
        guard Self.isChange(response.head.status.code) else { return response }
        await exchange.invalidate(after: response.head)
        // A response to POST is stored only under its own Content-Location (RFC 9110 §9.3.3).
        guard response.head.headerFields.contains(.contentLocation) || policy.statusName != nil else {
            exchange.report(.notStoredInCache, "only responses to GET are stored")
            return response
        }
        // A new exchange, because the response is newer than the change that was just recorded.
        return await CacheExchange(self, exchange.request, key, exchange.arrival).receive(response)
    }
}

extension TransportRequest {
    /// Whether only the cache may answer the request.
    fileprivate var isForCacheOnly: Bool { hasValues && self[CacheUse.self] == .onlyCached }
}
