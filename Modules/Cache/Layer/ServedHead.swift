internal import AirframeTransport
internal import HTTPTypes

/// The heads of responses that are served from the store.
enum ServedHead {
    /// The stored head with its `Age` (RFC 9111 §5.1).
    static func whole(_ entry: CacheEntry, age: Double) -> HTTPResponse {
        var head = entry.head
        head.headerFields[.age] = "\(Int(max(0, min(age, Double(DeltaSeconds.limit)))))"
        return head
    }

    /// A 206 with a part of the stored content (RFC 9110 §15.3.7).
    static func part(_ entry: CacheEntry, _ range: ContentRange, length: Int, age: Double) -> HTTPResponse {
        var head = whole(entry, age: age)
        head.status = .partialContent
        head.headerFields[.contentRange] = range.text
        head.headerFields[.contentLength] = "\(length)"
        return head
    }

    /// A 304 with the fields that update the client's copy (RFC 9110 §15.4.5).
    static func notModified(_ entry: CacheEntry, age: Double) -> HTTPResponse {
        let whole = whole(entry, age: age)
        var head = HTTPResponse(status: .notModified)
        for field in whole.headerFields where !isOfContent(field.name) { head.headerFields.append(field) }
        return head
    }

    private static func isOfContent(_ name: HTTPField.Name) -> Bool {
        [.contentLength, .contentRange, .contentEncoding, .contentType].contains(name)
    }
}
