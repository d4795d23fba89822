package import AirframeTransport

/// The decisions that the maker of a request can still change while the request is in flight.
///
/// The request's event sink provides them. Layers read them only when they need one: on a redirect, and before they
/// store a response. Other requests pay nothing.
package protocol LateDecisions: TransportEventSink {
    /// The decision on redirects.
    var redirectDecision: RedirectDecision.Value { get }
    /// The rules for redirects; `nil` for those of the layer.
    var redirectRules: RedirectRules? { get }
    /// The decision on caching.
    var cacheDecision: CacheDecision.Value { get }
}

extension TransportRequest {
    /// The late decisions of the request's maker; `nil` if it has none.
    package var lateDecisions: (any LateDecisions)? { sink(of: (any LateDecisions).self) }
}
