internal import AirframeTransport

/// Whether a cache layer also stores a response that is stale when it arrives and cannot be validated. Only requests
/// that accept a stale response can use it later: with ``CacheUse/preferCached``, ``CacheUse/onlyCached``, or
/// `max-stale` or `stale-if-error` in their `Cache-Control`.
package enum StoresStaleResponse: TransportRequestKey {
    package static var defaultValue: Bool { false }
}
