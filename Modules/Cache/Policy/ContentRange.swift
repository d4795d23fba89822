/// `Content-Range: bytes 0-4/10` (RFC 9110 §14.4).
struct ContentRange: Sendable, Hashable {
    let first: Int64
    let last: Int64
    let completeLength: Int64?

    init(first: Int64, last: Int64, completeLength: Int64?) {
        self.first = first
        self.last = last
        self.completeLength = completeLength
    }

    /// `nil` for another unit, an unsatisfied range and an invalid one, whose content must not be combined.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else { return nil }
        self.first = first
        self.last = last
        if halves[1] == "*" {
            completeLength = nil
        } else {
            guard let length = Self.number(halves[1]), last < length else { return nil }
            completeLength = length
        }
    }

    /// The field's value.
    var text: String { "bytes \(first)-\(last)/\(completeLength.map(String.init) ?? "*")" }

    static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}

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
