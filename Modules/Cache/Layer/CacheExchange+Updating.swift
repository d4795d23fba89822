internal import AirframeTransport
internal import HTTPTypes

// Stored responses whose fields a 304 or a response to HEAD updates (RFC 9111 §4.3.4, §4.3.5).

extension CacheExchange {
    /// Updates the stored response with the fields of a 304, and serves it.
    func confirm(
        _ entry: CacheEntry,
        by head: HTTPResponse,
        sent: Double,
        _ flight: Flight?
    ) async -> TransportResponse? {
        let newer = updated(entry, by: head, sent: sent)
        let obstacle = self.obstacle(to: newer)
        if obstacle == nil { await store(newer) }
        let reason = "the server confirmed the stored response (304)"
        let served = await serve(newer, reason: reason, validated: true)
        // Removed after it is served, because only the store may have the content.
        if let obstacle { await remove(entry, obstacle) }
        guard var response = served else { return nil }
        if obstacle == nil, !leavesCookies(of: head) {
            layer.flights.end(flight, .validated(newer, reason: reason))
        } else {
            layer.flights.endUnshared(flight, at: arrival)
        }
        StoredFields.replaceFieldsOfExchange(in: &response.head, by: head)
        return response
    }

    /// Updates or removes the stored response according to a response to `HEAD` (RFC 9111 §4.3.5).
    func update(byHead head: HTTPResponse) async {
        guard head.status.code == 200, let entries = try? await lookUp() else { return }
        for entry in entries where entry.part == nil && entry.head.status.code == 200 {
            guard entry.variant.matches(request.head, language: nil, policy: layer.policy) else { continue }
            guard Self.describes(head, entry) else {
                await remove(entry, "a response to HEAD shows that the resource has changed")
                continue
            }
            let newer = updated(entry, by: head, sent: start)
            if let obstacle = self.obstacle(to: newer) {
                await remove(entry, obstacle)
            } else {
                await store(newer)
            }
        }
    }

    private func updated(_ entry: CacheEntry, by head: HTTPResponse, sent: Double) -> CacheEntry {
        var updated = entry
        updated.replace(
            head: StoredFields.updating(entry.head, by: head, policy: layer.policy),
            times: ExchangeTimes(request: sent, response: layer.date),
            policy: layer.policy
        )
        return updated
    }

    /// Returns the reason that a response must not stay stored with its updated fields; `nil` if it may.
    func obstacle(to updated: CacheEntry) -> String? {
        if let reason = Storability.prohibition(updated.head, updated.control, request.head, layer.policy) {
            return reason
        }
        // The response would answer requests that it must not answer now (RFC 9111 §4.1). Its variant cannot be
        // changed, because stores name it by the variant.
        guard let variant = CacheVariant(request.head, updated.head, policy: layer.policy),
            updated.variant.distinguishes(asMuchAs: variant)
        else { return "the response now depends on other fields of the request" }
        return nil
    }

    private func store(_ updated: CacheEntry) async {
        do throws(CacheStoreError) {
            try await layer.store.update(updated)
        } catch {
            report(.cacheFailed, error.description)
        }
    }

    func remove(_ entry: CacheEntry, _ reason: String) async {
        do throws(CacheStoreError) {
            try await layer.store.remove(entry)
            report(.invalidatedInCache, reason)
        } catch {
            report(.cacheFailed, error.description)
        }
    }

    /// Whether a response to `HEAD` describes the stored response: each validator that it has is stored, and the length
    /// is equal (RFC 9111 §4.3.5).
    private static func describes(_ head: HTTPResponse, _ entry: CacheEntry) -> Bool {
        let hasValidators = [HTTPField.Name.eTag, .lastModified].allSatisfy { name in
            guard let new = head.headerFields[name] else { return true }
            return new == entry.head.headerFields[name]
        }
        guard let length = head.headerFields[.contentLength] else { return hasValidators }
        return hasValidators && length == entry.head.headerFields[.contentLength] ?? "\(entry.contentLength)"
    }
}
