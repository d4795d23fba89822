internal import AirframeTransport

/// Whether a cache layer also stores a response that is stale when it arrives and cannot be validated. Only requests
/// with ``CacheUse/preferCached`` or ``CacheUse/onlyCached`` can use it later.
package enum StoresStaleResponse: TransportRequestKey {
    package static var defaultValue: Bool { false }
}
