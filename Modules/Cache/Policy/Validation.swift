internal import AirframeTransport
internal import HTTPTypes

/// Conditional requests that the cache sends, and those that it answers (RFC 9111 §4.3).
enum Validation {
    private static let conditions: [HTTPField.Name] = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]

    /// Whether a request has conditions of its own.
    static func isConditional(_ request: HTTPRequest) -> Bool {
        let fields = request.headerFields
        return conditions.contains { fields.has($0) }
    }

    /// Returns the request with the stored response's validators as conditions (§4.3.1).
    ///
    /// - Returns: `nil` when the response has no validator.
    static func conditional(_ request: HTTPRequest, for entry: CacheEntry) -> HTTPRequest? {
        var request = request
        let fields = entry.head.headerFields
        if let tag = fields[.eTag] { request.headerFields[.ifNoneMatch] = quoted(tag) }
        if let date = fields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
        guard fields.contains(.eTag) || fields.contains(.lastModified) else { return nil }
        return request
    }

    /// Returns the stored response that a 304 confirms (§4.3.4): the one with the same strong tag or the same weak
    /// validators. A 304 without validators confirms a response only if no other is stored.
    static func confirmed(by head: HTTPResponse, among entries: [CacheEntry]) -> CacheEntry? {
        let fields = head.headerFields
        if let tag = fields[.eTag].map({ EntityTag($0) }) {
            return entries.first { entry in
                guard let own = entry.head.headerFields[.eTag].map({ EntityTag($0) }) else { return false }
                return tag.isWeak ? tag.matchesWeakly(own) : tag.matchesStrongly(own)
            }
        }
        if let date = fields[.lastModified] {
            return entries.first { $0.head.headerFields[.lastModified] == date }
        }
        return entries.count == 1 ? entries.first : nil
    }

    /// Whether a stored response answers a request's own conditions with 304 (§4.3.2; RFC 9110 §13.2.2).
    ///
    /// - Returns: `nil` if the server must evaluate the conditions.
    static func isNotModified(_ request: HTTPRequest, _ entry: CacheEntry, now: Double) -> Bool? {
        let fields = request.headerFields
        if fields.contains(.ifMatch) || fields.contains(.ifUnmodifiedSince) { return nil }
        if fields.contains(.ifNoneMatch) {
            guard let tags = EntityTag.list(fields[values: .ifNoneMatch]) else { return true }
            guard let own = entry.head.headerFields[.eTag].map({ EntityTag($0) }) else { return false }
            return tags.contains { $0.matchesWeakly(own) }
        }
        guard let since = fields[.ifModifiedSince].flatMap({ CalendarDate.seconds($0, now: now) }) else { return false }
        let stored = entry.head.headerFields
        let modified = (stored[.lastModified] ?? stored[.date]).flatMap { CalendarDate.seconds($0, now: now) }
        return (modified ?? entry.times.response) <= since
    }

    /// Whether a request's `If-Range` permits a stored response to answer its range (RFC 9110 §13.1.5).
    static func allowsRange(_ request: HTTPRequest, of entry: CacheEntry) -> Bool {
        guard let condition = request.headerFields[.ifRange] else { return true }
        let fields = entry.head.headerFields
        if condition.contains("\"") {
            return fields[.eTag].map { EntityTag($0).matchesStrongly(EntityTag(condition)) } ?? false
        }
        return fields[.lastModified] == condition
    }

    /// The strong tag, which is the only validator for combining parts (RFC 9111 §3.4).
    static func strongTag(_ head: HTTPResponse) -> String? {
        head.headerFields[.eTag].flatMap { EntityTag($0).isWeak ? nil : quoted($0) }
    }

    /// Adds the quotes that some servers leave out: caches on the way parse the condition.
    private static func quoted(_ tag: String) -> String {
        tag.hasSuffix("\"") ? tag : "\"\(tag)\""
    }
}
