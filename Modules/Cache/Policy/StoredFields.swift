internal import HTTPTypes

/// The rules for storing the fields of a response, and for updating them by later responses (RFC 9111 §3.1, §3.2).
enum StoredFields {
    /// The maximum number of fields of a stored head, at least as many as an engine accepts. `HTTPFields` traps above
    /// 65,534, and stores may contain anything.
    static let maximumCount = 10_000

    private static let ofConnections: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// Returns a response's head without the fields of its connection and the fields that a qualified `no-cache` names,
    /// and in a shared cache without those that a qualified `private` names.
    static func storing(_ head: HTTPResponse, policy: CachePolicy) -> HTTPResponse {
        let fields = head.headerFields
        let control = CacheControl(fields[values: .cacheControl])
        var unwanted = Set(
            fields[values: .connection].flatMap(FieldList.members).map { $0.lowercased() })
        if case .fields(let names) = control.noCache { unwanted.formUnion(names) }
        if policy.kind == .shared, case .fields(let names) = control.isPrivate { unwanted.formUnion(names) }
        let isStored = { (name: HTTPField.Name) in
            !ofConnections.contains(name.canonicalName) && !unwanted.contains(name.canonicalName)
        }
        guard fields.contains(where: { !isStored($0.name) }) else { return head }
        var stored = HTTPResponse(status: head.status)
        for field in fields where isStored(field.name) { stored.headerFields.append(field) }
        return stored
    }

    /// Returns the stored head in which fields of a 304 or of a response to `HEAD` replace those with the same names
    /// (§3.2). Fields that describe the content are kept.
    static func updating(_ stored: HTTPResponse, by newer: HTTPResponse, policy: CachePolicy) -> HTTPResponse {
        let update = storing(newer, policy: policy)
        var names: Set<HTTPField.Name> = []
        for field in update.headerFields where !isOfContent(field.name) { names.insert(field.name) }
        var merged = HTTPResponse(status: stored.status)
        // Each validation may bring fields of new names, so the number that is kept is limited.
        let room = max(0, maximumCount - update.headerFields.count)
        for field in stored.headerFields.lazy.filter({ !names.contains($0.name) }).prefix(room) {
            merged.headerFields.append(field)
        }
        for field in update.headerFields where names.contains(field.name) { merged.headerFields.append(field) }
        // The stored Age belongs to the earlier response: a 304 without Age comes directly from the server.
        if !names.contains(.age) { merged.headerFields[.age] = nil }
        // So does the stored Date, with which the response would stay stale. Without a Date, the time of receipt counts
        // (RFC 9110 §6.6.1).
        if !names.contains(.date) { merged.headerFields[.date] = nil }
        return merged
    }

    /// Replaces the fields that concern a single exchange by those of `exchange`: its cookies, and what its server says
    /// about the credentials of its request (RFC 7616 §3.5, RFC 9449 §8).
    static func replaceFieldsOfExchange(in head: inout HTTPResponse, by exchange: HTTPResponse) {
        for name in ofExchange { head.headerFields[fields: name] = exchange.headerFields[fields: name] }
    }

    private static let ofExchange =
        [HTTPField.Name.setCookie] + ["Authentication-Info", "DPoP-Nonce"].compactMap { HTTPField.Name($0) }

    /// Whether a field describes the stored content. A 304 does not replace such fields (RFC 9111 §3.2).
    private static func isOfContent(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .contentEncoding || name == .contentRange
    }
}
