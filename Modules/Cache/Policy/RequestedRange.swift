internal import AirframeTransport
internal import HTTPTypes

/// A request's `Range` with one range of bytes (RFC 9110 §14.1.2).
enum RequestedRange: Sendable, Hashable {
    /// From a position to another, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes.
    case suffix(Int64)

    /// Parses a value. `nil` for other units, several ranges and invalid ones: the server answers these requests.
    init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes="), !text.contains(",") else { return nil }
        let bounds = FieldList.trimmed(text.dropFirst(6)).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return nil }
        if bounds[0].isEmpty {
            guard let count = ContentRange.number(bounds[1]), count > 0 else { return nil }
            self = .suffix(count)
        } else {
            guard let first = ContentRange.number(bounds[0]) else { return nil }
            let last = bounds[1].isEmpty ? nil : ContentRange.number(bounds[1])
            guard bounds[1].isEmpty || (last ?? -1) >= first else { return nil }
            self = .from(first, through: last)
        }
    }

    /// Locates the range in stored content.
    ///
    /// - Parameters:
    ///   - part: The part of the representation that the content is; `nil` for complete content.
    ///   - length: The content's length.
    /// - Returns: The offset in the content, and its `Content-Range`; `nil` if the content lacks bytes of the range, or
    ///   the range cannot be satisfied.
    func slice(of part: ContentPart?, length: Int64) -> (offset: Range<Int64>, range: ContentRange)? {
        guard length > 0 else { return nil }
        let part = part ?? ContentPart(first: 0, completeLength: length, reachesEnd: true)
        guard part.first >= 0 else { return nil }
        switch self {
        case .from(let first, let last):
            let offset = first.subtractingReportingOverflow(part.first)
            guard !offset.overflow, offset.partialValue >= 0, offset.partialValue < length else { return nil }
            guard let last else {
                guard part.reachesEnd else { return nil }
                return Self.sliced(offset.partialValue..<length, part)
            }
            let end = min(last, .max - 1).subtractingReportingOverflow(part.first)
            guard !end.overflow else { return nil }
            // A range that exceeds the end is answered by the bytes up to the end (§14.1.2).
            guard end.partialValue < length || part.reachesEnd else { return nil }
            return Self.sliced(offset.partialValue..<min(end.partialValue + 1, length), part)
        case .suffix(let count):
            guard part.reachesEnd else { return nil }
            // A suffix longer than the representation selects all of it.
            guard count <= length || part.first == 0 else { return nil }
            return Self.sliced(max(0, length - count)..<length, part)
        }
    }

    private static func sliced(
        _ offset: Range<Int64>,
        _ part: ContentPart
    ) -> (offset: Range<Int64>, range: ContentRange)? {
        let (end, isTooLarge) = part.first.addingReportingOverflow(offset.upperBound)
        guard !isTooLarge else { return nil }
        let range = ContentRange(
            first: part.first + offset.lowerBound, last: end - 1, completeLength: part.completeLength)
        return (offset, range)
    }
}

// MARK: The range of a 206

extension ContentRange {
    /// The number of bytes.
    var length: Int64 { last - first + 1 }

    /// Whether content of a length may be stored as the part that the head of a 206 describes.
    ///
    /// Content that ends early is an incomplete part (RFC 9111 §3.3). It is stored only if no strong tag permits to
    /// combine it with other parts.
    func describes(_ length: Int64, in head: HTTPResponse) -> Bool {
        length == self.length || (length < self.length && Validation.strongTag(head) == nil)
    }
}

extension HTTPResponse {
    /// The range of a 206; `nil` for other responses.
    var partRange: ContentRange? { status.code == 206 ? ContentRange(headerFields) : nil }
}
