internal import AirframeWire
internal import HTTPTypes

/// The last final head on a connection, and its parsed form.
///
/// A head with the same bytes, received for the same kind of request, has the same meaning and is not parsed again. If
/// only the values of some fields differ, such as a date or a request number, only those fields are parsed. A head with
/// a secret is never remembered.
struct HTTP1HeadMemory: Sendable {
    /// The parsed form of a head.
    struct Meaning: Sendable {
        /// The kind of the request, which affects the framing of the response.
        let kind: HTTP1RequestKind
        var response: HTTPResponse
        let decision: HTTP1ResponseFraming
        let minorVersion: UInt8
        let statusCode: Int
    }

    private var lines = HeadLines(capacity: 2048)
    private var meaning: Meaning?
    /// The first line that differed last time, and probably differs again.
    private var changingLine: Int?

    /// Whether no head is remembered.
    var isEmpty: Bool { meaning == nil }

    /// Remembers a head that was contiguous in the input.
    ///
    /// - Parameter head: The bytes from the status line to the empty line.
    mutating func keep(_ head: RawSpan, _ meaning: Meaning) {
        // A folded field spans several lines, and each line must correspond to one field.
        let isKept = lines.keep(head) && lines.count == meaning.response.headerFields.count + 2
        self.meaning = isKept ? meaning : nil
        changingLine = nil
    }

    /// Returns the meaning of the head at `position` if it equals the remembered head, except for values of fields that
    /// do not affect the framing and are no secrets; `nil` if the head must be parsed.
    ///
    /// - Parameter position: Moved past the head if it is recalled.
    @inline(__always)
    mutating func recall(
        in input: RawSpan,
        from position: inout Int,
        answering kind: HTTP1RequestKind,
        _ limits: HTTP1Limits
    ) -> Meaning? {
        guard meaning?.kind == kind else { return nil }
        guard let line = lines.firstDifference(from: 0, in: input, at: position, guess: changingLine) else {
            position += lines.byteCount
            return meaning
        }
        return recallRevised(from: line, in: input, from: &position, limits)
    }

    /// Updates the lines that differ, starting with the given one. Forgets the head if that is not possible.
    private mutating func recallRevised(
        from first: Int,
        in input: RawSpan,
        from position: inout Int,
        _ limits: HTTP1Limits
    ) -> Meaning? {
        var next: Int? = first
        while let line = next {
            // All earlier lines now equal the input's.
            let start = position + lines.start(of: line)
            guard let end = revise(line, in: input, at: start, limits) else {
                meaning = nil
                return nil
            }
            next = lines.firstDifference(from: lines.start(of: line + 1), in: input, at: end)
        }
        guard lines.isWithinCapacity, lines.byteCount <= limits.head else {
            meaning = nil
            return nil
        }
        changingLine = first
        position += lines.byteCount
        return meaning
    }

    /// Updates the field of `line` to its value in the input. Returns the start of the next line, or `nil` if the head
    /// must be parsed.
    private mutating func revise(
        _ line: Int,
        in input: RawSpan,
        at start: Int,
        _ limits: HTTP1Limits
    ) -> Int? {
        // Not the status line or the empty line. The next line's first byte must be present: a blank continues this
        // field.
        guard line > 0, line < lines.count - 1, let feed = input.firstLineFeed(from: start), feed + 1 < input.byteCount,
            !input.byte(feed + 1).isBlank, feed + 1 - start <= limits.fieldLine
        else { return nil }
        let bytes = input.extracting(start..<feed + 1)
        // Compare raw names, since `HTTPFields` ignores case.
        guard let (field, role) = try? HTTP1FieldLine.parse(bytes), role == .none,
            meaning?.response.headerFields[line - 1].name.rawName == field.name.rawName
        else { return nil }
        // Changes the fields in place if the earlier response has been released.
        meaning?.response.headerFields[line - 1] = field
        lines.replace(line, with: bytes)
        return feed + 1
    }
}
