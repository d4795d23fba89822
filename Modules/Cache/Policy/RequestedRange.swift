internal import AirframeTransport

/// A request's `Range` with one range of bytes (RFC 9110 §14.1.2).
enum RequestedRange: Sendable, Hashable {
    /// From a position to another, or to the end.
    case from(Int64, through: Int64?)
    /// The last bytes.
    case suffix(Int64)

    /// `nil` for other units, several ranges and invalid ones: these go to the server.
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

    /// Where the range is in a stored content.
    ///
    /// - Parameters:
    ///   - part: Which bytes the content is; `nil` for a complete one.
    ///   - length: The content's length.
    /// - Returns: The offset in the content, and what `Content-Range` says of it; `nil` when the content lacks bytes of
    ///   the range, or the range cannot be satisfied.
    func slice(of part: ContentPart?, length: Int64) -> (offset: Range<Int64>, range: ContentRange)? {
        guard length > 0 else { return nil }
        let part = part ?? ContentPart(first: 0, completeLength: length, reachesEnd: true)
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
            // A server sends what there is of a range that goes beyond the end (§14.1.2).
            guard end.partialValue < length || part.reachesEnd else { return nil }
            return Self.sliced(offset.partialValue..<min(end.partialValue + 1, length), part)
        case .suffix(let count):
            guard part.reachesEnd else { return nil }
            // More bytes than the representation has stand for all of it.
            guard count <= length || part.first == 0 else { return nil }
            return Self.sliced(max(0, length - count)..<length, part)
        }
    }

    private static func sliced(_ offset: Range<Int64>, _ part: ContentPart) -> (Range<Int64>, ContentRange) {
        let range = ContentRange(
            first: part.first + offset.lowerBound,
            last: part.first + offset.upperBound - 1,
            completeLength: part.completeLength
        )
        return (offset, range)
    }
}
