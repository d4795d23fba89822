internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// The last final head on a connection, and its parsed form.
///
/// A head with the same bytes, received for the same kind of request, has the same meaning and is not parsed again. If
/// only the values of some fields differ, such as a date or a request number, these values are checked, and their
/// fields are made when the program reads the head. A head with a secret is never remembered.
struct HTTP1HeadMemory: Sendable {
    /// The parsed form of a head.
    struct Meaning: Sendable {
        /// The kind of the request, which affects the framing of the response.
        let kind: HTTP1RequestKind
        var head: SharedResponseHead
        let decision: HTTP1ResponseFraming
        let minorVersion: UInt8
    }

    private var lines = HeadLines(capacity: 2048)
    private var meaning: Meaning?
    /// The lines that differed last time, and probably differ again.
    private var changingLines: [Int] = []
    /// The lines, among the first 64, whose fields do not affect the framing and are not secrets, as far as they are
    /// known.
    private var plainLines: UInt64 = 0

    /// Whether no head is remembered.
    var isEmpty: Bool { meaning == nil }

    /// Remembers a head that was contiguous in the input.
    ///
    /// - Parameter head: The bytes from the status line to the empty line.
    mutating func keep(_ head: RawSpan, _ meaning: Meaning) {
        // A folded field spans several lines, and each line must correspond to one field.
        let isKept = lines.keep(head) && lines.count == meaning.head.known.headerFields.count + 2
        self.meaning = isKept ? meaning : nil
        changingLines = []
        plainLines = 0
    }

    /// Returns the meaning of the head at `position` if it equals the remembered head, except for values of fields that
    /// do not affect the framing and are not secrets; `nil` if the head must be parsed.
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
        guard let line = lines.firstDifference(from: 0, in: input, at: position, guesses: changingLines) else {
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
        guard var revised = meaning.take() else { return nil }
        // The head changes in place if the response before has been released.
        let isOwned = isKnownUniquelyReferenced(&revised.head)
        if isOwned { revised.head.beginRevision() }
        var next: Int? = first
        var count = 0
        while let line = next {
            // All earlier lines now equal the input's.
            let start = position + lines.start(of: line)
            guard isPlain(line, of: revised.head), let end = revise(line, in: input, at: start, limits) else {
                return nil
            }
            noteChange(of: line, after: count)
            count += 1
            next = lines.firstDifference(from: lines.start(of: line + 1), in: input, at: end)
        }
        if count < changingLines.count { changingLines.removeSubrange(count...) }
        guard lines.isWithinCapacity, lines.byteCount <= limits.head else { return nil }
        if isOwned {
            lines.revise(revised.head, at: changingLines)
        } else {
            revised.head = lines.revised(revised.head, at: changingLines)
        }
        meaning = revised
        position += lines.byteCount
        return revised
    }

    /// Records that `line` is the changed line after `count` others.
    private mutating func noteChange(of line: Int, after count: Int) {
        if count < changingLines.count, changingLines[count] == line { return }
        changingLines.removeSubrange(min(count, changingLines.count)...)
        changingLines.append(line)
    }

    /// Stores a line that differs from the remembered one in the value only. Returns the start of the next line, or
    /// `nil` if the head must be parsed.
    private mutating func revise(
        _ line: Int,
        in input: RawSpan,
        at start: Int,
        _ limits: HTTP1Limits
    ) -> Int? {
        // Not the status line or the empty line. The next line's first byte must be present: a space or tab continues
        // this field.
        guard line > 0, line < lines.count - 1, let feed = input.firstLineFeed(from: start),
            feed + 1 < input.byteCount, !input.byte(feed + 1).isBlank, feed + 1 - start <= limits.fieldLine
        else { return nil }
        let bytes = input.extracting(start..<feed + 1)
        guard let colon = bytes.firstColon(before: bytes.byteCount), lines.begins(line, with: bytes, count: colon + 1),
            HTTP1FieldLine.isPlainValue(bytes, from: colon + 1)
        else { return nil }
        lines.replace(line, with: bytes)
        return feed + 1
    }

    /// Returns whether the field of `line` neither affects the framing nor is a secret.
    private mutating func isPlain(_ line: Int, of head: SharedResponseHead) -> Bool {
        let bit: UInt64 = line < 64 ? 1 &<< UInt64(line) : 0
        if plainLines & bit != 0 { return true }
        let fields = head.known.headerFields
        guard line > 0, line <= fields.count, HTTP1FieldRole(fields[line - 1].name) == .none else { return false }
        plainLines |= bit
        return true
    }
}
