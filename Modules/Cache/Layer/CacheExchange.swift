internal import AirframeLayers
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// One request and its response in the cache.
struct CacheExchange: Sendable {
    let layer: CacheLayer
    let request: TransportRequest
    let key: CacheKey
    let use: CacheUse
    /// The instant at which the request reached the cache.
    let arrival: MonotonicInstant
    /// The number of changes of resources before the request was sent, or when it reached the cache if it has not been.
    private var changeCount: UInt64

    /// - Parameters:
    ///   - arrival: The instant at which the request reached the cache, if it has been sent; `nil` for now.
    ///   - changeCount: The number of changes (``ResourceChanges/count``) before the request was sent, if it has been.
    init(
        _ layer: CacheLayer,
        _ request: TransportRequest,
        _ key: CacheKey,
        _ arrival: MonotonicInstant? = nil,
        changeCount: UInt64? = nil
    ) {
        var request = request
        // The request may wait for another one, and may be sent more than once: one deadline applies to all of that.
        if arrival == nil { request.startDeadline(on: layer.clock) }
        self.layer = layer
        self.request = request
        self.key = key
        use = request.hasValues ? request[CacheUse.self] : .byProtocol
        self.arrival = arrival ?? layer.clock.now
        self.changeCount = changeCount ?? layer.flights.changes.count
    }

    /// The time at which the request reached the cache, in seconds since 1970.
    var start: Double { layer.clock.date(at: arrival).timeIntervalSince1970 }

    /// Answers the request from the store, from the server, or from both.
    ///
    /// - Parameter entries: The responses stored under the request's URI.
    func answer(with entries: [CacheEntry]) async throws(TransportError) -> TransportResponse {
        switch Reuse(request.head, entries, use: use, policy: layer.policy, now: start) {
        case .serve(let entry, let staleness, let reason):
            guard let response = await serve(entry, reason: reason.text) else {
                let reason = "the stored content is gone or damaged"
                guard !isForCacheOnly else { return try unavailable(reason) }
                return try await forward(.miss, reason: reason)
            }
            guard staleness == .whileRevalidating, !isForCacheOnly else { return response }
            var stale = response
            stale.revalidation = revalidateInBackground(entry)
            return stale
        case .validate(let entry, let reason): return try await validate(entry, entries, reason: reason)
        case .complete(let entry, let position): return try await complete(entry, from: position)
        case .forward(let kind, let reason): return try await forward(kind, reason: reason)
        case .unavailable(let reason): return try unavailable(reason)
        }
    }

    /// Returns the responses stored under the request's URI; none if the store fails.
    func storedEntries() async -> [CacheEntry] {
        if use == .reload || use == .reloadEverywhere { return [] }
        do throws(CacheStoreError) {
            return try await lookUp()
        } catch {
            report(.cacheFailed, error.description)
            return []
        }
    }

    /// Returns the responses stored under the request's URI, and those for other queries that also answer the request.
    func lookUp() async throws(CacheStoreError) -> [CacheEntry] {
        let entries =
            if let store = layer.parts.immediateStore {
                try store.entriesAtOnce(for: key)
            } else {
                try await layer.store.entries(for: key)
            }
        guard layer.policy.honorsNoVarySearch else { return entries }
        let query = key.withoutQuery.query
        return entries
            + (try await layer.store.entries(for: key.withoutSearch)).filter { entry in
                guard let search = entry.variant.search else { return false }
                return SearchVariance(entry.head)?.search(query) == search
            }
    }

    // MARK: Without the network

    /// Whether only the cache may answer the request, by its setting or by a directive.
    private var isForCacheOnly: Bool {
        use == .onlyCached || CacheControl(request.head.headerFields[values: .cacheControl]).onlyIfCached
    }

    /// Returns the stored response as the answer, or `nil` if its content is gone or damaged.
    ///
    /// - Parameter validated: Whether the server has just confirmed it.
    func serve(
        _ entry: CacheEntry,
        reason: @autoclosure () -> String,
        validated: Bool = false
    ) async -> TransportResponse? {
        let now = layer.date
        // Preconditions apply only to successful responses (RFC 9110 §13.2.1).
        if Validation.isConditional(request.head), entry.head.status.kind == .successful,
            Validation.isNotModified(request.head, entry, now: now) == true
        {
            let head = SharedResponseHead(ServedHead.notModified(entry, age: entry.age(at: now)))
            return response(head, .data(Data()), entry, reason(), validated)
        }
        guard case .get = request.methodRole else {
            return response(
                entry.aged.head(of: entry, age: entry.age(at: now)), .data(Data()), entry, reason(), validated)
        }
        guard let content = await content(of: entry) else { return nil }
        if request.sharedHead.has(.range),
            let range = request.head.headerFields[.range].flatMap(RequestedRange.init),
            entry.head.status.code == 200 || entry.part != nil, Validation.allowsRange(request.head, of: entry),
            let slice = range.slice(of: entry.part, length: content.length)
        {
            let head = ServedHead.part(entry, slice.range, length: slice.offset.count, age: entry.age(at: now))
            return response(
                SharedResponseHead(head), content.slice(slice.offset), entry, reason(), validated)
        }
        guard entry.part == nil else { return nil }
        return response(entry.aged.head(of: entry, age: entry.age(at: now)), content, entry, reason(), validated)
    }

    func content(of entry: CacheEntry) async -> CacheContent? {
        if let content = entry.content { return .data(content) }
        do throws(CacheStoreError) {
            return try await layer.store.content(of: entry)
        } catch {
            report(.cacheFailed, error.description)
            return nil
        }
    }

    private func response(
        _ head: SharedResponseHead,
        _ content: CacheContent,
        _ entry: CacheEntry,
        _ reason: @autoclosure () -> String,
        _ validated: Bool
    ) -> TransportResponse {
        var head = head
        if let name = layer.policy.statusName {
            var status = CacheStatus(forward: validated ? .stale : nil)
            if validated { status.forwardStatus = 304 }
            let remaining = entry.freshness.lifetime - entry.age(at: layer.date)
            status.timeToLive = Int(max(-1e12, min(remaining, 1e12)))
            var marked = head.head
            marked.headerFields.append(HTTPField(name: .cacheStatus, value: status.value(from: name)))
            head = SharedResponseHead(marked)
        }
        // The validation was a separate exchange.
        var shown = request
        if validated { shown.beginNewExchange() }
        if shown.events != nil {
            let clock = layer.clock
            shown.report(.started(request.head), on: clock)
            shown.report(.servedFromCache, because: reason(), on: clock)
            shown.report(.responseHead(head.head, byteCount: nil), on: clock)
            shown.report(.released(.unknown), on: clock)
        }
        let body: ResponseBody
        switch content {
        case .data(let data): body = ResponseBody(data, trailers: entry.trailers)
        case .file(let file, let offset, let length):
            let source = StoredBody(file, offset..<(offset + length), trailers: entry.trailers)
            body = ResponseBody(source, expectedLength: length)
        }
        var response = TransportResponse(head: head, body: body, connection: nil, request: request.sharedHead)
        response.source = validated ? .revalidated : .cache
        response.exchange = shown.exchange
        return response
    }

    /// Answers a request that only the cache may answer: with 504 if a directive demands that (RFC 9111 §5.2.1.7), and
    /// with an error for a cache policy, as Foundation does.
    private func unavailable(_ reason: String) throws(TransportError) -> TransportResponse {
        guard use != .onlyCached else {
            throw TransportError(
                .cacheMiss, phase: .layer, processing: .notSent,
                message: "the request may be answered from the cache only: \(reason)", origin: Origin(request.head))
        }
        report(.refused, "only-if-cached: \(reason)")
        var head = HTTPResponse(status: .gatewayTimeout)
        head.headerFields[.contentLength] = "0"
        head.headerFields[.date] = CalendarDate.text(layer.date)
        var response = TransportResponse(head: head, body: ResponseBody(), request: request.head)
        response.source = .cache
        return response
    }

    // MARK: Changing the store

    /// Removes the responses that are stored for the target of a request that changed it, and for the `Location` and
    /// `Content-Location` of its response in the same origin (RFC 9111 §4.4).
    func invalidate(after head: HTTPResponse) async {
        await invalidate(key)
        for name in [HTTPField.Name.location, .contentLocation] where head.headerFields.contains(name) {
            guard let value = head.headerFields[name], let other = key.resolving(value), other != key else { continue }
            await invalidate(other)
        }
    }

    private func invalidate(_ key: CacheKey) async {
        // Recorded before responses are removed: one that is stored earlier is removed below, and one that is stored
        // later is rejected by `isOutdated`.
        layer.flights.changes.append(key)
        if layer.policy.honorsNoVarySearch { layer.flights.changes.append(key.withoutSearch) }
        do throws(CacheStoreError) {
            if let store = layer.parts.immediateStore, !layer.policy.honorsNoVarySearch,
                try store.entriesAtOnce(for: key).isEmpty
            {
                return
            }
            try await layer.store.removeAll(for: key)
            if layer.policy.honorsNoVarySearch { try await layer.store.removeAll(for: key.withoutSearch) }
            report(.invalidatedInCache, "\(request.head.method.rawValue) succeeded")
        } catch {
            report(.cacheFailed, error.description)
        }
    }

    /// The exchange with the present number of changes; `nil` if that has not changed. A request that has waited for
    /// another one is sent with it: earlier changes do not concern its response.
    var withCurrentChanges: CacheExchange? {
        let count = layer.flights.changes.count
        guard count != changeCount else { return nil }
        var current = self
        current.changeCount = count
        return current
    }

    /// Whether the resource of an entry may have changed since the request was sent, so that the response to the
    /// request must not be stored.
    func isOutdated(_ entry: CacheEntry) -> Bool {
        layer.flights.changes.contains(key, since: changeCount)
            || (entry.key != key && layer.flights.changes.contains(entry.key, since: changeCount))
    }

    func report(_ kind: TransportDecision.Kind, _ reason: @autoclosure () -> String) {
        guard request.events != nil || request.timelines != nil else { return }
        request.report(kind, because: reason(), on: layer.clock)
    }
}

extension CacheLayer {
    /// Now, in seconds since 1970.
    var date: Double {
        let clock = self.clock
        return clock.date(at: clock.now).timeIntervalSince1970
    }
}
