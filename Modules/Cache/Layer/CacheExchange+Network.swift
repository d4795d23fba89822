internal import AirframeLayers
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension CacheExchange {
    // MARK: A miss

    /// Sends the request to the server, or waits for the response to another request for the same resource.
    func forward(_ kind: CacheStatus.Forward, reason: String) async throws(TransportError) -> TransportResponse {
        report(.cacheMiss, "\(kind.rawValue): \(reason)")
        guard isCollapsible else { return try await fetch(kind) }
        while true {
            switch layer.flights.join(key, at: arrival) {
            case .leader(let flight): return try await lead(flight, kind)
            case .independent: return try await fetch(kind)
            case .follower(let waiters):
                switch try await result(of: waiters) {
                case .shared(let shared):
                    if let response = follow(shared, kind) { return response }
                    return try await fetch(kind)
                case .stored:
                    if let response = await serveFresh() { return response }
                    return try await fetch(kind)
                // The leader had a response to validate, and this request has none.
                case .unshared, .validated: return try await fetch(kind)
                case .failed(let error):
                    guard !Task.isCancelled else {
                        throw .cancelled(in: .layer, processing: .notSent, origin: Origin(request.head))
                    }
                    if error.isCancellation { continue }
                    if Self.mayConcernLeaderOnly(error) { return try await fetch(kind) }
                    throw error
                }
            }
        }
    }

    /// Waits for the result of another request's flight, within the limits of this request.
    private func result(of waiters: FlightWaiters) async throws(TransportError) -> Flight.FollowerResult {
        try request.requireTime(
            on: layer.clock, in: .options, processing: .notSent, before: "the request started")
        return try await waiters.result(within: FollowerLimits(request, layer.clock), since: arrival)
    }

    /// Whether the error of another request may be due to that request alone: to its time limits, to its connection, or
    /// to options such as the versions of HTTP and TLS, which do not keep responses apart.
    private static func mayConcernLeaderOnly(_ error: TransportError) -> Bool {
        if error.isTimeout || error.code == .connectionLost || error.code == .unsupportedOption { return true }
        return error.phase == .options || ((error.phase == .tls || error.isConnectionFailure) && !error.isTrustFailure)
    }

    private var isCollapsible: Bool {
        guard layer.policy.collapsesRequests, request.head.method == .get, request.body.isNone else { return false }
        let fields = request.head.headerFields
        guard use == .byProtocol || use == .preferCached, !fields.contains(.range),
            !Validation.isConditional(request.head)
        else { return false }
        return !CacheControl(fields[values: .cacheControl]).noStore
    }

    /// Serves a response that another request has stored in the meantime.
    private func serveFresh() async -> TransportResponse? {
        guard let entries = try? await lookUp(), !entries.isEmpty,
            case .serve(let entry, let staleness, let reason) = Reuse(
                request.head, entries, use: use, policy: layer.policy, now: layer.date),
            // Otherwise a background revalidation would serve the response that it has to validate.
            staleness != .whileRevalidating
        else { return nil }
        return await serve(entry, reason: reason.text)
    }

    private func lead(_ flight: Flight, _ kind: CacheStatus.Forward) async throws(TransportError) -> TransportResponse {
        if let current = withCurrentChanges { return try await current.lead(flight, kind) }
        // The response may have been stored since the look-up.
        if kind != .stale, let response = await serveFresh() {
            layer.flights.end(flight, .stored)
            return response
        }
        do throws(TransportError) {
            let response = try await layer.base.send(outgoing(request))
            return await receive(response, in: flight, kind)
        } catch {
            layer.flights.end(flight, .failed(error))
            throw error
        }
    }

    /// Returns the response that another request is reading; `nil` if this request has to be sent.
    private func follow(_ shared: SharedBody, _ kind: CacheStatus.Forward) -> TransportResponse? {
        let limits = FollowerLimits(request, layer.clock)
        // The other request's limits end the content for all readers.
        if let leading = shared.limits, leading.areStricter(than: limits) { return nil }
        if shared.leavesCookies, handlesCookies { return nil }
        guard mayReuse(shared.entry) else {
            layer.flights.recordUnshared(key, at: arrival)
            return nil
        }
        guard let reader = shared.reader(within: limits, reportingTo: request, layer.clock) else { return nil }
        request.report(.started(request.head), on: layer.clock)
        report(.servedFromCache, "another request for the same resource brought the response")
        request.report(.responseHead(shared.head, byteCount: nil), on: layer.clock)
        var head = shared.head
        if let name = layer.policy.statusName {
            var status = CacheStatus(forward: kind)
            status.isCollapsed = true
            // Replaces the leader's value.
            let own = HTTPField(name: .cacheStatus, value: status.value(from: name))
            head.headerFields[fields: .cacheStatus] = head.headerFields[fields: .cacheStatus].dropLast() + [own]
        }
        var response = TransportResponse(
            head: head, body: ResponseBody(reader, expectedLength: shared.expectedLength), request: request.head)
        response.source = .cache
        return response
    }

    /// Whether the cookies of a response to the request are stored.
    private var handlesCookies: Bool { !request.hasValues || request[CookieContext.self].isHandled }

    /// Whether a response to the request has cookies that are not stored. Other requests may have to store those that
    /// they get, so they must not be answered with this response.
    func leavesCookies(of head: HTTPResponse) -> Bool { !handlesCookies && head.headerFields.contains(.setCookie) }

    /// Whether the request may get a response that is not stored yet. As for a stored response, that must be allowed
    /// without asking the server (RFC 9111 §4).
    private func mayReuse(_ entry: CacheEntry) -> Bool {
        guard entry.variant.matches(request.head, language: nil, policy: layer.policy),
            case .serve(_, let staleness, _) = Reuse(
                request.head, [entry], use: use, policy: layer.policy, now: layer.date)
        else { return false }
        return staleness != .whileRevalidating
    }

    /// Sends the request without sharing its response.
    ///
    /// - Parameter again: Whether an exchange for the request has already ended.
    func fetch(_ kind: CacheStatus.Forward, again: Bool = false) async throws(TransportError) -> TransportResponse {
        if let current = withCurrentChanges { return try await current.fetch(kind, again: again) }
        var sent = outgoing(request)
        if again { sent.beginNewExchange() }
        let response = try await layer.base.send(sent)
        if request.head.method == .head { await update(byHead: response.head) }
        return await receive(response, kind)
    }

    /// Returns the request with the fields that tell other caches of its `CacheUse` (RFC 9111 §5.2.1).
    func outgoing(_ request: TransportRequest) -> TransportRequest {
        guard use == .reloadEverywhere || use == .revalidate else { return request }
        var request = request
        if use == .reloadEverywhere {
            request.head.headerFields[.cacheControl] = "no-cache"
            request.head.headerFields[.pragma] = "no-cache"
        } else if !request.head.headerFields.contains(.cacheControl) {
            request.head.headerFields[.cacheControl] = "max-age=0"
        }
        return request
    }

    // MARK: Validation

    /// Asks the server whether a stored response is current, and answers with it or with the server's new response.
    func validate(
        _ entry: CacheEntry,
        _ entries: [CacheEntry],
        reason: String
    ) async throws(TransportError) -> TransportResponse {
        let hasPrecondition =
            request.head.headerFields.contains(.ifMatch) || request.head.headerFields.contains(.ifUnmodifiedSince)
        guard request.head.method == .get, !hasPrecondition, !request.head.headerFields.contains(.range),
            let conditional = Validation.conditional(request.head, for: entry)
        else { return try await refresh(entry, reason: reason) }
        report(.cacheMiss, "stale: \(reason)")
        guard isCollapsible, !request.head.headerFields.contains(.cacheControl) else {
            return try await ask(conditional, entry, entries)
        }
        while true {
            switch layer.flights.join(key, at: arrival) {
            case .leader(let flight):
                // The response may have been confirmed since the look-up.
                if let response = await serveFresh() {
                    layer.flights.end(flight, .stored)
                    return response
                }
                do throws(TransportError) {
                    return try await ask(conditional, entry, entries, in: flight)
                } catch {
                    layer.flights.end(flight, .failed(error))
                    throw error
                }
            case .independent: return try await ask(conditional, entry, entries)
            case .follower(let waiters):
                switch try await result(of: waiters) {
                case .validated(let entry, let reason):
                    if entry.variant.matches(request.head, language: nil, policy: layer.policy),
                        let response = await serve(entry, reason: "another request found: \(reason)")
                    {
                        return response
                    }
                case .shared(let shared): if let response = follow(shared, .stale) { return response }
                case .stored: if let response = await serveFresh() { return response }
                case .unshared: break
                case .failed(let error):
                    guard !Task.isCancelled else {
                        throw .cancelled(in: .layer, processing: .notSent, origin: Origin(request.head))
                    }
                    if error.isCancellation { continue }
                    guard Self.mayConcernLeaderOnly(error) else { throw error }
                }
                return try await ask(conditional, entry, entries)
            }
        }
    }

    /// Sends a validation, and answers according to its response.
    ///
    /// - Parameter flight: The flight whose followers wait for the result.
    private func ask(
        _ conditional: HTTPRequest,
        _ entry: CacheEntry,
        _ entries: [CacheEntry],
        in flight: Flight? = nil
    ) async throws(TransportError) -> TransportResponse {
        if let current = withCurrentChanges { return try await current.ask(conditional, entry, entries, in: flight) }
        var validation = request
        validation.head = conditional
        let response: TransportResponse
        let sent = layer.date
        do throws(TransportError) {
            response = try await layer.base.send(outgoing(validation))
        } catch {
            if let stale = await serveOnError(entry, "the server cannot be reached: \(error.message)", error, flight) {
                return stale
            }
            throw error
        }
        if response.head.status.code == 304 {
            try await response.body.finish()
            let matching = entries.filter { $0.variant == entry.variant && $0.part == nil }
            if let confirmed = Validation.confirmed(by: response.head, among: matching.isEmpty ? [entry] : matching),
                let answer = await confirm(confirmed, by: response.head, sent: sent, flight)
            {
                return answer
            }
            layer.flights.endUnshared(flight, at: arrival)
            return try await fetch(.miss, again: true)
        }
        if let stale = await serveInstead(of: response, entry, flight) { return stale }
        return await receive(response, in: flight, .stale)
    }

    /// Fetches a response again because the stored one is stale and cannot be validated.
    private func refresh(_ entry: CacheEntry, reason: String) async throws(TransportError) -> TransportResponse {
        do throws(TransportError) {
            let response = try await forward(.stale, reason: reason)
            return await serveInstead(of: response, entry) ?? response
        } catch {
            if let stale = await serveOnError(entry, "the server cannot be reached: \(error.message)", error) {
                return stale
            }
            throw error
        }
    }

    private func serveOnError(
        _ entry: CacheEntry,
        _ words: String,
        _ error: TransportError,
        _ flight: Flight? = nil
    ) async -> TransportResponse? {
        guard !error.isCancellation, !error.isTrustFailure,
            entry.mayServeOnError(request.head, policy: layer.policy, now: layer.date)
        else { return nil }
        return await serveStale(entry, "stale-if-error: \(words)", flight)
    }

    /// Serves the stored response instead of a server's error (RFC 5861 §4).
    private func serveInstead(
        of response: TransportResponse,
        _ entry: CacheEntry,
        _ flight: Flight? = nil
    ) async -> TransportResponse? {
        guard [500, 502, 503, 504].contains(response.head.status.code),
            entry.mayServeOnError(request.head, policy: layer.policy, now: layer.date),
            let stale = await serveStale(
                entry, "stale-if-error: the server answered \(response.head.status.code)", flight)
        else { return nil }
        response.body.cancel()
        return stale
    }

    private func serveStale(_ entry: CacheEntry, _ reason: String, _ flight: Flight?) async -> TransportResponse? {
        guard let response = await serve(entry, reason: reason) else { return nil }
        layer.flights.end(flight, .validated(entry, reason: reason))
        return response
    }

    /// Validates a response that was served stale, so that the next request finds it fresh (RFC 5861 §3).
    ///
    /// - Returns: The validation; `nil` if another request has begun one.
    func revalidateInBackground(_ entry: CacheEntry) -> Revalidation? {
        guard layer.flights.beginRevalidation(key) else { return nil }
        var request = self.request
        // The sink receives the events of the validation under another exchange identifier.
        request.beginNewExchange()
        let exchange = CacheExchange(layer, request, key)
        let revalidation = Revalidation()
        // With the priority of other exchanges: the cookies of all responses are stored in the order of arrival.
        Task.detached(priority: .exchange) {
            let response = try? await exchange.validate(entry, [entry], reason: "in the background")
            revalidation.end(with: response.flatMap { $0.source == .cache ? nil : $0.head })
            // Reading the response stores it.
            while let chunk = try? await response?.body.next() { _ = chunk }
            exchange.layer.flights.endRevalidation(exchange.key)
        }
        return revalidation
    }
}
