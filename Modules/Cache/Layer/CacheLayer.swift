internal import AirframeLayers
public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// Stores responses and answers requests with them (RFC 9111), over every engine.
///
/// The layer belongs beneath content decoding and above the engine: it stores what came over the wire, so that lengths,
/// ranges and validators fit.
///
/// ```swift
/// let transport = ContentDecodingLayer(CacheLayer(engine, store: MemoryCacheStore()))
/// ```
///
/// A request says by `CacheUse` whether stored responses may answer it, and by `CacheDecision` what is stored.
public struct CacheLayer: TransportLayer {
    /// Undoes the content codings of a response for a `CacheDecision`; `nil` when it cannot.
    public typealias Decoding = @Sendable (HTTPResponse, Data) async -> (HTTPResponse, Data)?

    /// The transport beneath.
    public var base: any Transport { parts.base }
    /// Where responses are stored.
    public var store: any CacheStore { parts.store }
    /// The clock of the transport beneath.
    public var clock: any TransportClock { parts.clock }
    /// The cache's rules.
    public var policy: CachePolicy { parts.policy }

    var flights: Flights { parts.flights }
    var decoding: Decoding? { parts.decoding }
    /// The store, if it answers without waiting.
    var immediateStore: (any ImmediateCacheStore)? { parts.immediateStore }

    private let parts: Parts

    /// One object, because every exchange holds its layer, and a copy then takes one retain instead of seven.
    private final class Parts: Sendable {
        let base: any Transport
        let clock: any TransportClock
        let store: any CacheStore
        let immediateStore: (any ImmediateCacheStore)?
        let policy: CachePolicy
        let decoding: Decoding?
        let flights = Flights()

        init(_ base: any Transport, _ store: any CacheStore, _ policy: CachePolicy, _ decoding: Decoding?) {
            self.base = base
            clock = base.clock
            self.store = store
            immediateStore = store as? any ImmediateCacheStore
            self.policy = policy
            self.decoding = decoding
        }
    }

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - store: Where responses are stored.
    ///   - policy: The cache's rules; those of a private cache by default.
    ///   - decoding: Undoes content codings, so that a `CacheDecision` sees decoded content. Without it decisions see
    ///     content as it came over the wire.
    public init(
        _ base: any Transport,
        store: any CacheStore,
        policy: CachePolicy = .private,
        decoding: Decoding? = nil
    ) {
        parts = Parts(base, store, policy, decoding)
    }

    /// The capabilities of the transport beneath, and a response cache.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        capabilities.features.insert(.responseCache)
        return capabilities
    }

    /// Answers `request` from the store, or sends it and stores the response.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.upgrade == nil, let key = CacheKey(request.head) else { return try await base.send(request) }
        switch request.head.method {
        // Content in a GET has no defined meaning, and a cache that ignores it would mix requests up (RFC 9110 §9.3.1).
        case .get where request.body.isNone, .head where request.body.isNone:
            let exchange = CacheExchange(self, request, key)
            switch exchange.lookUpAtOnce() {
            case .missing(let flight):
                let response: TransportResponse
                do throws(TransportError) {
                    response = try await base.send(request)
                } catch {
                    flights.end(flight, .failed(error))
                    throw error
                }
                if exchange.passes(response, in: flight) { return response }
                return await exchange.receive(response, in: flight, .uriMiss)
            case .found(let entries): return try await exchange.answer(with: entries)
            case .unknown: return try await exchange.answer(with: exchange.storedEntries())
            }
        case .get, .head: return try await base.send(request)
        case .options, .trace: return try await base.send(request)
        default: return try await sendUnsafe(request, key)
        }
    }

    /// Sends a request that may change its target, and then forgets what is stored of it (RFC 9111 §4.4).
    private func sendUnsafe(
        _ request: TransportRequest,
        _ key: CacheKey
    ) async throws(TransportError) -> TransportResponse {
        let exchange = CacheExchange(self, request, key)
        let response = try await base.send(request)
        guard response.head.status.kind == .successful || response.head.status.kind == .redirection else {
            return response
        }
        var keys: Set<CacheKey> = [key]
        for name in [HTTPField.Name.location, .contentLocation] {
            if let value = response.head.headerFields[name], let other = key.resolving(value) { keys.insert(other) }
        }
        for key in keys { await exchange.invalidate(key) }
        return request.head.method == .post ? await exchange.receive(response) : response
    }
}
