internal import AirframeTransport
internal import Synchronization

/// The store, the transport and the state of a cache layer. One object, because every exchange holds its layer, and a
/// copy of the layer then takes one retain instead of seven.
final class CacheParts: Sendable {
    let base: any Transport
    let clock: any TransportClock
    /// The layer's store; `nil` for a layer that serves only requests that bring a store (``CacheSettings``).
    let store: (any CacheStore)?
    /// Whether there is a store, read without copying it.
    let hasStore: Bool
    /// The store, if it answers without waiting.
    let immediateStore: (any ImmediateCacheStore)?
    let policy: CachePolicy
    let decoding: CacheLayer.Decoding?
    let flights: Flights
    /// Whether a miss may take the synchronous path (``lookUpAtOnce(_:_:_:)``).
    let looksUpAtOnce: Bool
    /// The parts for requests with a store of their own, as long as such requests are in flight. The mutex guards the
    /// table.
    private let others = Mutex<[ObjectIdentifier: WeakParts]>([:])

    private struct WeakParts {
        weak var parts: CacheParts?
    }

    init(
        _ base: any Transport,
        _ store: (any CacheStore)?,
        _ policy: CachePolicy,
        _ decoding: CacheLayer.Decoding?
    ) {
        self.base = base
        clock = base.clock
        self.store = store
        hasStore = store != nil
        immediateStore = store as? any ImmediateCacheStore
        self.policy = policy
        flights = Flights(ResourceChanges.ofResponses(in: store))
        self.decoding = decoding
        looksUpAtOnce = !policy.honorsNoVarySearch && policy.collapsesRequests && immediateStore != nil
    }

    /// Returns the parts for requests that bring `store`. Requests that bring the same one at the same time share them,
    /// so that they share responses.
    func parts(for store: any CacheStore) -> CacheParts {
        if store === self.store { return self }
        return others.withLock { others in
            if let parts = others[ObjectIdentifier(store)]?.parts { return parts }
            // An identifier may be reused once its store, and with it the parts, are gone.
            others = others.filter { $0.value.parts != nil }
            let parts = CacheParts(base, store, policy, decoding)
            others[ObjectIdentifier(store)] = WeakParts(parts: parts)
            return parts
        }
    }
}
