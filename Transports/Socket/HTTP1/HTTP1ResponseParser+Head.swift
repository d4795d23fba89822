internal import AirframeTransport
internal import HTTPTypes

extension HTTP1ResponseParser {
    /// The maximum number of empty lines before a status line. Some servers send one after an informational response.
    private static let emptyLineLimit = 4

    mutating func readStatusLine(
        in input: RawSpan,
        from position: inout Int,
        emptyLines: Int
    ) throws(HTTP1Violation) -> Bool {
        let statusLine: HTTP1StatusLine
        switch lines.next(in: input, from: &position, limit: limits.statusLine, folds: false) {
        case .input(let range):
            let line = input.extracting(range)
            guard !line.isEmptyLine else { return try skipEmptyLine(after: emptyLines) }
            statusLine = try HTTP1StatusLine(line)
            sectionBytes = range.count
        case .kept:
            let kept = lines.kept
            let line = kept.span.bytes
            guard !line.isEmptyLine else { return try skipEmptyLine(after: emptyLines) }
            statusLine = try HTTP1StatusLine(line)
            sectionBytes = kept.count
        case .incomplete:
            // Bytes of another protocol may never contain a line feed.
            if lines.kept.count >= HTTP1StatusLine.signatureLength {
                try HTTP1StatusLine.checkSignature(lines.kept.span.bytes)
            }
            return false
        case .tooLong:
            var beginning = lines.kept
            beginning.append(
                contentsOf: input,
                in: position..<min(input.byteCount, position + HTTP1StatusLine.signatureLength)
            )
            try HTTP1StatusLine.checkSignature(beginning.span.bytes)
            throw .tooLarge("the status line is longer than \(limits.statusLine) bytes")
        }
        state = .fields(statusLine)
        return true
    }

    mutating func skipEmptyLine(after emptyLines: Int) throws(HTTP1Violation) -> Bool {
        guard emptyLines < Self.emptyLineLimit else {
            throw .malformed("\(Self.emptyLineLimit + 1) empty lines precede the status line")
        }
        state = .statusLine(emptyLines: emptyLines + 1)
        return true
    }

    /// Parses fields up to the empty line. Returns `false` if more input is needed.
    mutating func readFields(
        in input: RawSpan,
        from position: inout Int,
        isTrailer: Bool
    ) throws(HTTP1Violation) -> Bool {
        let total = isTrailer ? limits.trailer : limits.head
        while true {
            let rest = total - sectionBytes
            switch lines.next(in: input, from: &position, limit: min(rest, limits.fieldLine), folds: true) {
            case .input(let range):
                sectionBytes += range.count
                let line = input.extracting(range)
                if line.isEmptyLine { return true }
                try section.add(line, limit: limits.fieldCount)
            case .kept:
                let kept = lines.kept
                let line = kept.span.bytes
                sectionBytes += kept.count
                if line.isEmptyLine { return true }
                try section.add(line, limit: limits.fieldCount)
            case .incomplete:
                return false
            case .tooLong where rest <= limits.fieldLine:
                throw .tooLarge("the response's \(isTrailer ? "trailer" : "head") is larger than \(total) bytes")
            case .tooLong:
                throw .tooLarge("a header field is longer than \(limits.fieldLine) bytes")
            }
        }
    }

    /// Recalls a head that equals the last one, except for some values, if all of it is in the input.
    @inline(__always)
    mutating func recallHead(in input: RawSpan, from position: inout Int) -> HTTP1ResponseEvent? {
        let start = position
        guard lines.isEmpty, let known = memory.recall(in: input, from: &position, answering: kind, limits) else {
            return nil
        }
        sectionBytes = position - start
        minorVersion = known.minorVersion
        follow(known.decision)
        return .head(known.head, byteCount: sectionBytes, framing: known.decision.framing)
    }

    /// Returns the event of a complete head.
    ///
    /// - Parameter range: The part of `input` that was read since the parser was called.
    mutating func endHead(
        _ statusLine: HTTP1StatusLine,
        in input: RawSpan,
        _ range: Range<Int>
    ) throws(HTTP1Violation) -> HTTP1ResponseEvent {
        let code = statusLine.status.code
        if code < 200, code != 101 { return try endInformational(statusLine) }
        guard code != 101 || kind == .upgrade else {
            throw .malformed("the server switches protocols (101) without having been asked")
        }
        let decision = try HTTP1ResponseFraming(statusLine, &section, to: kind)
        minorVersion = statusLine.minorVersion
        var isTunnel = false
        if case .tunnel = decision.framing {
            isTunnel = true
            // An idle WebSocket holds its response, and no other head follows on its connection.
            section.fields.releaseSpareCapacity()
        }
        let head = SharedResponseHead(
            HTTPResponse(status: statusLine.status, headerFields: section.fields), statusCode: code)
        // The memory compares contiguous bytes.
        if !section.isConfidential, !decision.hasMovedFields, !isTunnel, sectionBytes == range.count {
            let meaning = HTTP1HeadMemory.Meaning(
                kind: kind,
                head: head,
                decision: decision,
                minorVersion: minorVersion
            )
            memory.keep(input.extracting(range), meaning)
        }
        section = HTTP1FieldSection()
        follow(decision)
        return .head(head, byteCount: sectionBytes, framing: decision.framing)
    }

    /// Enters the state that follows the final head.
    private mutating func follow(_ decision: HTTP1ResponseFraming) {
        closeReason = decision.closeReason ?? closeReason
        switch decision.framing {
        case .none: state = .ending(trailers: nil)
        case .length(let length): state = .content(remaining: length)
        case .chunked: state = .chunkLine
        case .untilClose: state = .contentUntilClose
        case .tunnel: state = .tunnel
        }
    }

    mutating func endInformational(
        _ statusLine: HTTP1StatusLine
    ) throws(HTTP1Violation) -> HTTP1ResponseEvent {
        informationalCount += 1
        guard informationalCount <= limits.informationalCount else {
            throw .tooLarge("the server sent more than \(limits.informationalCount) informational responses")
        }
        let response = HTTPResponse(status: statusLine.status, headerFields: section.fields)
        section = HTTP1FieldSection()
        sectionBytes = 0
        state = .statusLine(emptyLines: 0)
        return .informational(response)
    }
}

extension HTTPFields {
    /// Copies the fields into memory of their size.
    fileprivate mutating func releaseSpareCapacity() {
        var copy = HTTPFields()
        copy.reserveCapacity(count)
        for field in self { copy.append(field) }
        self = copy
    }
}

extension RawSpan {
    fileprivate var isEmptyLine: Bool { byteCount == 2 && byte(0) == .carriageReturn }
}
