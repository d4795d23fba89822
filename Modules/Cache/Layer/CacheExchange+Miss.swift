internal import AirframeLayers
internal import AirframeTransport
internal import HTTPTypes

// The short way of requests that nothing is stored for, and whose responses are not for the cache: most requests of most
// programs. It comes to the same as the long way, which takes ten times as long.

extension CacheExchange {
    /// What a look into the store has shown.
    enum LookUp {
        /// Nothing is stored, and no other request is on its way; this one leads a flight.
        case missing(Flight)
        /// These responses are stored, none perhaps.
        case found([CacheEntry])
        /// The store must be waited for, or has failed.
        case unknown
    }

    /// Looks into a store that answers without waiting.
    func lookUpAtOnce() -> LookUp {
        guard use == .byProtocol, !layer.policy.honorsNoVarySearch, let store = layer.immediateStore else {
            return .unknown
        }
        let endCount = layer.flights.endCount
        guard let entries = try? store.entriesAtOnce(for: key) else { return .unknown }
        guard entries.isEmpty, layer.policy.collapsesRequests, request.head.method == .get, !hasDirectives,
            let flight = layer.flights.begin(key, since: endCount)
        else { return .found(entries) }
        report(.cacheMiss, "uri-miss: nothing is stored for the URI")
        return .missing(flight)
    }

    /// Whether the request has fields that a cache acts on.
    private var hasDirectives: Bool {
        request.head.headerFields.contains { field in
            // By length first: names of other lengths need no comparison.
            switch field.name.canonicalName.utf8.count {
            case 5: field.name == .range
            case 8: field.name == .ifMatch || field.name == .ifRange
            case 13: field.name == .cacheControl || field.name == .ifNoneMatch
            case 17: field.name == .ifModifiedSince
            case 19: field.name == .ifUnmodifiedSince
            default: false
            }
        }
    }

    /// Ends the flight of a response that is plainly not for the store.
    ///
    /// - Returns: `false` for a response that ``receive(_:in:_:)`` must judge.
    func passes(_ response: TransportResponse, in flight: Flight) -> Bool {
        guard layer.policy.statusName == nil, let reason = Self.plainRefusal(response.head) else { return false }
        layer.flights.end(flight, .unshared)
        report(.notStoredInCache, reason)
        return true
    }

    /// Why a response is not stored, where a glance at its fields shows that.
    private static func plainRefusal(_ head: HTTPResponse) -> String? {
        var mayBeOfUse = false
        for field in head.headerFields {
            switch field.name.canonicalName.utf8.count {
            case 4: mayBeOfUse = mayBeOfUse || field.name == .eTag
            case 7: mayBeOfUse = mayBeOfUse || field.name == .expires
            case 13 where field.name == .cacheControl:
                return isNoStore(field.value) ? "the response says no-store" : nil
            case 13: mayBeOfUse = mayBeOfUse || field.name == .lastModified
            default: break
            }
        }
        return mayBeOfUse ? nil : "the response is not fresh and has no validator"
    }

    /// Whether a field value is one of those that forbid storing and say nothing else that counts.
    private static func isNoStore(_ value: String) -> Bool {
        value == "no-store" || value == "no-cache, no-store" || value == "no-store, no-cache"
            || value == "private, no-store" || value == "no-cache, no-store, must-revalidate"
    }
}
