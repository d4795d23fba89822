internal import AirframeLayers
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension CacheExchange {
    /// Returns the server's response, and stores it while it is read if it may be stored (RFC 9111 §3).
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - flight: The flight whose followers wait for the response.
    ///   - kind: The reason to send the request to the server.
    func receive(
        _ response: TransportResponse,
        in flight: Flight? = nil,
        _ kind: CacheStatus.Forward = .method
    ) async -> TransportResponse {
        let storability = Storability(
            response.head, answering: request.head, contentLength: response.body.expectedLength, policy: layer.policy)
        var flight = flight
        switch storability {
        case .storable: break
        case .stale where storesStaleResponse(response.head.status):
            // Requests that wait for this one must not get a response that they could not get from the store.
            layer.flights.endUnshared(flight, at: arrival)
            flight = nil
        case .stale(let reason), .refused(let reason):
            layer.flights.endUnshared(flight, at: arrival)
            report(.notStoredInCache, reason)
            return marked(response, kind, isStored: false)
        }
        guard response.stream == nil,
            let variant = CacheVariant(request.head, response.head, policy: layer.policy)
        else {
            layer.flights.endUnshared(flight, at: arrival)
            return marked(response, kind, isStored: false)
        }
        let search = layer.policy.honorsNoVarySearch ? SearchVariance(response.head) : nil
        let range = response.head.partRange
        var entry = CacheEntry(
            key: search == nil ? key : key.withoutSearch,
            variant: search.map { variant.selecting(search: $0.search(key.withoutQuery.query)) } ?? variant,
            head: StoredFields.storing(response.head, policy: layer.policy),
            times: ExchangeTimes(request: start, response: layer.date),
            policy: layer.policy,
            part: range.map { ContentPart($0) }
        )
        entry.isMemoryOnly = key.isTransient
        let (combined, prefix, suffix) = await combined(entry, range, response.body.expectedLength)
        guard
            let recorder = await StoreRecorder(
                combined, self, expectedLength: response.body.expectedLength, part: range, prefix: prefix,
                suffix: suffix)
        else {
            layer.flights.endUnshared(flight, at: arrival)
            let reason =
                key.isTransient
                ? "the store keeps nothing in memory only, and the trust evaluation has no identity in other processes"
                : "the store does not take content of that length"
            report(.notStoredInCache, reason)
            return marked(response, kind, isStored: false)
        }
        if case .stale(let reason) = storability {
            report(.storedInCache, "for requests that accept it regardless of its age: \(reason)")
        } else {
            report(.storedInCache, "fresh for \(Int(min(entry.freshness.lifetime, 1e12))) seconds")
        }
        return await pass(marked(response, kind, isStored: true), combined, into: recorder, flight)
    }

    /// Whether a response is stored although it is stale and cannot be validated.
    private func storesStaleResponse(_ status: HTTPResponse.Status) -> Bool {
        if use == .preferCached || use == .onlyCached { return true }
        // Handlers are called for the final response only.
        return status.kind == .successful && request.hasValues && request[StoresStaleResponse.self]
    }

    /// Hands the content to the reader and to the store.
    ///
    /// - Parameter prelude: Stored content that the reader receives first.
    func pass(
        _ response: TransportResponse,
        _ entry: CacheEntry,
        into recorder: consuming StoreRecorder,
        _ flight: Flight?,
        prelude: Data = Data()
    ) async -> TransportResponse {
        var response = response
        var recorder = recorder
        // Content that arrived with the head needs no task.
        var pieces: [Data] = prelude.isEmpty ? [] : [prelude]
        var isWhole = false
        if prelude.isEmpty {
            while let known = response.body.nextAtOnce() {
                guard let piece = known else {
                    isWhole = true
                    break
                }
                pieces.append(piece)
                await recorder.append(piece)
            }
        }
        if isWhole {
            let trailers = response.body.trailers
            await recorder.finish(trailers: trailers)
            if leavesCookies(of: response.head) {
                layer.flights.endUnshared(flight, at: arrival)
            } else {
                layer.flights.end(flight, .stored)
            }
            response.body = ResponseBody(pieces.count == 1 ? pieces[0] : Data(pieces.joined()), trailers: trailers)
            return response
        }
        let shared = SharedBody(
            head: response.head, entry: entry, upstream: response.body, prelude: Data(pieces.joined()),
            limits: flight == nil ? nil : FollowerLimits(request, layer.clock, since: arrival),
            leavesCookies: leavesCookies(of: response.head),
            finishLimit: layer.policy.finishLimit)
        guard let reader = shared.reader(layer.clock) else { return response }
        response.body = ResponseBody(reader, expectedLength: shared.expectedLength)
        layer.flights.publish(.shared(shared), of: flight)
        let flights = layer.flights
        Task.detached(priority: .exchange) { [recorder] in
            await shared.pump(into: recorder) { flights.end(flight, .stored) }
        }
        return response
    }

    /// Requests the bytes that a stored part lacks (RFC 9111 §3.4).
    func complete(_ entry: CacheEntry, from position: Int64) async throws(TransportError) -> TransportResponse {
        guard case .data(let stored) = await content(of: entry), Int64(stored.count) == position else {
            return try await forward(.partial, reason: "the stored part cannot be read")
        }
        report(.cacheMiss, "partial: the first \(position) bytes are stored")
        var rest = request
        rest.head.headerFields[.range] = "bytes=\(position)-"
        if let tag = Validation.strongTag(entry.head) { rest.head.headerFields[.ifRange] = tag }
        let response = try await layer.base.send(outgoing(rest))
        guard response.head.status.code == 206 || response.head.status.code == 416 else {
            return await receive(response, .partial)
        }
        guard let range = response.head.partRange, range.first == position, let length = range.completeLength,
            range.last == length - 1, (response.body.expectedLength ?? range.length) == range.length,
            let tag = Validation.strongTag(entry.head), tag == Validation.strongTag(response.head)
        else {
            try await response.body.finish()
            return try await fetch(.partial, again: true)
        }
        var head = StoredFields.updating(entry.head, by: response.head, policy: layer.policy)
        head.status = .ok
        head.headerFields[.contentRange] = nil
        head.headerFields[.contentLength] = "\(length)"
        var whole = CacheEntry(
            key: entry.key, variant: entry.variant, head: head,
            times: ExchangeTimes(request: start, response: layer.date), policy: layer.policy)
        whole.isMemoryOnly = entry.isMemoryOnly
        if let obstacle = obstacle(to: whole) {
            await remove(entry, obstacle)
            try await response.body.finish()
            return try await fetch(.partial, again: true)
        }
        var answer = response
        answer.head = head
        StoredFields.replaceFieldsOfExchange(in: &answer.head, by: response.head)
        answer.request = request.head
        guard
            let recorder = await StoreRecorder(
                whole, self, expectedLength: response.body.expectedLength, part: range, prefix: stored)
        else {
            try await response.body.finish()
            return try await fetch(.partial, again: true)
        }
        report(.storedInCache, "the stored part is completed")
        return await pass(marked(answer, .partial, isStored: true), whole, into: recorder, nil, prelude: stored)
    }

    /// Combines a part with a stored one that it continues or precedes (RFC 9111 §3.4).
    private func combined(
        _ entry: CacheEntry,
        _ range: ContentRange?,
        _ contentLength: Int64?
    ) async -> (CacheEntry, Data, Data) {
        guard let range, contentLength == range.length, let part = entry.part,
            let tag = Validation.strongTag(entry.head), let entries = try? await lookUp()
        else { return (entry, Data(), Data()) }
        for stored in entries where stored.variant == entry.variant && Validation.strongTag(stored.head) == tag {
            guard let old = stored.part, old.first >= 0 else { continue }
            // The lengths are those that a server sent: their sums may not fit in 64 bits.
            let (end, hasNoEnd) = old.first.addingReportingOverflow(stored.contentLength)
            let (total, hasNoTotal) = stored.contentLength.addingReportingOverflow(range.length)
            guard !hasNoEnd, !hasNoTotal else { continue }
            let isBefore = end == part.first
            let isBehind = range.last + 1 == old.first
            // The parts of one representation announce the same length.
            if let length = part.completeLength, length != old.completeLength ?? length { continue }
            guard isBefore || isBehind, case .data(let content) = await self.content(of: stored),
                Int64(content.count) == stored.contentLength
            else { continue }
            let completed = ContentPart(
                first: min(old.first, part.first),
                completeLength: part.completeLength ?? old.completeLength,
                reachesEnd: isBefore ? part.reachesEnd : old.reachesEnd
            )
            var whole = entry
            whole.part = completed
            if completed.first == 0, completed.reachesEnd, let length = completed.completeLength {
                guard length == total else { continue }
                var head = entry.head
                head.status = .ok
                head.headerFields[.contentRange] = nil
                head.headerFields[.contentLength] = "\(length)"
                whole.replace(head: head, times: entry.times, policy: layer.policy)
                whole.part = nil
            }
            return (whole, isBefore ? content : Data(), isBehind ? content : Data())
        }
        return (entry, Data(), Data())
    }

    private func marked(
        _ response: TransportResponse,
        _ kind: CacheStatus.Forward,
        isStored: Bool
    ) -> TransportResponse {
        guard let name = layer.policy.statusName else { return response }
        var response = response
        var status = CacheStatus(forward: kind)
        status.isStored = isStored
        response.head.headerFields.append(HTTPField(name: .cacheStatus, value: status.value(from: name)))
        return response
    }
}

extension ContentPart {
    /// The part that the content of a 206 is.
    fileprivate init(_ range: ContentRange) {
        self.init(
            first: range.first, completeLength: range.completeLength,
            reachesEnd: range.completeLength.map { range.last == $0 - 1 } ?? false)
    }
}
