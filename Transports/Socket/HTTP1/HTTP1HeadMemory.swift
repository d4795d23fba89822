internal import AirframeWire
internal import HTTPTypes

/// The last final head on a connection, and what was made of it.
///
/// The same bytes as the answer to the same kind of request mean the same. A head that differs in the values of some
/// fields, a date or the number of the request, means the same but for these: they alone are parsed, and put in the
/// place of the old ones. A head with a secret is never kept.
struct HTTP1HeadMemory: Sendable {
    /// What a head means.
    struct Meaning: Sendable {
        /// The kind of request that it answered, which takes part in the framing.
        let kind: HTTP1RequestKind
        var response: HTTPResponse
        let decision: HTTP1ResponseFraming
        let minorVersion: UInt8
    }

    private var lines = HeadLines(capacity: 2048)
    private var meaning: Meaning?
    /// The first line that differed last time: the number of a request differs each time.
    private var changingLine: Int?

    /// Whether nothing is remembered.
    var isEmpty: Bool { meaning == nil }

    /// Keeps a head that lay in one piece.
    ///
    /// - Parameter head: The bytes from the status line to the empty line.
    mutating func keep(_ head: RawSpan, _ meaning: Meaning) {
        // A folded field has more lines than one, and lines and fields must go together.
        let isKept = lines.keep(head) && lines.count == meaning.response.headerFields.count + 2
        self.meaning = isKept ? meaning : nil
        changingLine = nil
    }

    /// Returns what the head at `position` means, if it is the last one but for the values of some fields that take no
    /// part in the framing and are no secrets. In any case of doubt it is for the parser.
    ///
    /// - Parameter position: Moved behind the head if there is one.
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

    /// Takes over the lines that differ, the first of which is known. In case of doubt all is forgotten.
    private mutating func recallRevised(
        from first: Int,
        in input: RawSpan,
        from position: inout Int,
        _ limits: HTTP1Limits
    ) -> Meaning? {
        var next: Int? = first
        while let line = next {
            // The lines before are those of the input by now.
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

    /// Gives the field of `line` the value that it has in the input. Returns where the next line begins, or `nil` in
    /// case of doubt.
    private mutating func revise(
        _ line: Int,
        in input: RawSpan,
        at start: Int,
        _ limits: HTTP1Limits
    ) -> Int? {
        // Neither the status line nor the empty one. The next line must be there: if it is folded, this one goes on.
        guard line > 0, line < lines.count - 1, let feed = input.firstLineFeed(from: start), feed + 1 < input.byteCount,
            !input.byte(feed + 1).isBlank, feed + 1 - start <= limits.fieldLine
        else { return nil }
        let bytes = input.extracting(start..<feed + 1)
        // Letter by letter: fields with names in other letters are the same to `HTTPFields`.
        guard let (field, role) = try? HTTP1FieldLine.parse(bytes), role == .none,
            meaning?.response.headerFields[line - 1].name.rawName == field.name.rawName
        else { return nil }
        // In place, if the response that had the fields is gone.
        meaning?.response.headerFields[line - 1] = field
        lines.replace(line, with: bytes)
        return feed + 1
    }
}
