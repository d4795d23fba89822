internal import AirframeLayers
internal import AirframeTransport
internal import HTTPTypes

// The path of a miss whose response is not stored, which is the most frequent one: it works synchronously around the
// exchange, and has the same effects as the general path (Docs/Decisions/0114).

extension CacheParts {
    /// The result of a synchronous look-up.
    enum LookUp {
        /// Nothing is stored, and no other request for the key is in flight; this one leads a flight.
        case missing(Flight)
        /// The stored responses, none perhaps.
        case found([CacheEntry])
        /// The look-up must wait for the store, or failed.
        case unknown
    }

    /// Looks a request's key up in a store that answers without waiting.
    func lookUpAtOnce(_ key: CacheKey, _ request: TransportRequest, _ role: MethodRole) -> LookUp {
        guard case .get = role, looksUpAtOnce, let store = immediateStore,
            !request.hasValues || request[CacheUse.self] == .byProtocol
        else { return .unknown }
        let endCount = flights.endCount
        guard let entries = try? store.entriesAtOnce(for: key) else { return .unknown }
        guard entries.isEmpty, !Self.hasDirectives(request.head.headerFields),
            let flight = flights.begin(key, since: endCount)
        else { return .found(entries) }
        if request.events != nil || request.timelines != nil {
            request.report(.cacheMiss, because: "uri-miss: nothing is stored for the URI", on: clock)
        }
        return .missing(flight)
    }

    /// Whether the request has fields that a cache acts on.
    private static func hasDirectives(_ fields: HTTPFields) -> Bool {
        for index in fields.indices {
            // By length first: names of other lengths need no comparison.
            switch fields[index].name.canonicalName.utf8.count {
            case 5: if fields[index].name == .range { return true }
            case 8: if fields[index].name == .ifMatch || fields[index].name == .ifRange { return true }
            case 13: if fields[index].name == .cacheControl || fields[index].name == .ifNoneMatch { return true }
            case 17: if fields[index].name == .ifModifiedSince { return true }
            case 19: if fields[index].name == .ifUnmodifiedSince { return true }
            default: break
            }
        }
        return false
    }

    /// Ends the flight of a response that is plainly not for the store.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that it answers.
    ///   - flight: The flight that the request leads.
    ///   - arrival: The instant at which the request reached the cache.
    /// - Returns: `false` for a response that ``CacheExchange/receive(_:in:_:)`` must decide on.
    func passes(
        _ response: TransportResponse,
        to request: TransportRequest,
        in flight: Flight,
        since arrival: MonotonicInstant
    ) -> Bool {
        guard policy.statusName == nil, !request.hasValues || !request[StoresStaleResponse.self],
            let reason = Self.plainRefusal(response.head.headerFields)
        else { return false }
        flights.endUnshared(flight, at: arrival)
        if request.events != nil || request.timelines != nil {
            request.report(.notStoredInCache, because: reason, on: clock)
        }
        return true
    }

    /// The reason not to store a response, if one pass over its fields shows it.
    private static func plainRefusal(_ fields: HTTPFields) -> String? {
        var mayBeOfUse = false
        for index in fields.indices {
            switch fields[index].name.canonicalName.utf8.count {
            case 4: mayBeOfUse = mayBeOfUse || fields[index].name == .eTag
            case 7: mayBeOfUse = mayBeOfUse || fields[index].name == .expires
            case 13 where fields[index].name == .cacheControl:
                return isNoStore(fields[index].value) ? "the response says no-store" : nil
            case 13: mayBeOfUse = mayBeOfUse || fields[index].name == .lastModified
            default: break
            }
        }
        return mayBeOfUse ? nil : "the response is not fresh and has no validator"
    }

    /// Whether a field value is one of the usual ones that forbid storing.
    private static func isNoStore(_ value: String) -> Bool {
        value == "no-store" || value == "no-cache, no-store" || value == "no-store, no-cache"
            || value == "private, no-store" || value == "no-cache, no-store, must-revalidate"
    }
}
