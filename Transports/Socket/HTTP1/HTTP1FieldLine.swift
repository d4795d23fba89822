internal import HTTPTypes

/// One field of a head or trailer (RFC 9112 §5): `Name: value`.
enum HTTP1FieldLine {
    /// Parses `line`, which includes its end of line.
    ///
    /// Folded lines (`obs-fold`) are joined by a space, as RFC 9112 §5.2 requires of a user agent. Whitespace before
    /// the colon, an empty name, a bare CR or LF, NUL and other control bytes are rejected.
    ///
    /// - Returns: The field, and its role in the framing.
    @inline(__always)
    static func parse(_ line: RawSpan) throws(HTTP1Violation) -> (HTTPField, HTTP1FieldRole) {
        let end = try line.endOfContent(of: "a line of the header fields")
        guard let colon = line.firstColon(before: end) else {
            throw .malformed("the header line \(line.quoted(0..<end)) has no colon")
        }
        let (name, role) = try name(line, length: colon)
        var start = colon + 1
        while start < end, line.byte(start).isBlank { start += 1 }
        var stop = end
        while stop > start, line.byte(stop - 1).isBlank { stop -= 1 }
        let field =
            switch scan(line, start..<stop) {
            case .ascii: HTTPField(name: name, value: line.text(in: start..<stop))
            case .other: line.field(name, start..<stop)
            case .control: HTTPField(name: name, value: try unfolded(line, start..<stop, name: name))
            }
        return (field, role)
    }

    @inline(__always)
    private static func name(
        _ line: RawSpan,
        length: Int
    ) throws(HTTP1Violation) -> (HTTPField.Name, HTTP1FieldRole) {
        if let known = HTTP1FieldNames.shared.find(line, length: length) { return known }
        return try uncommonName(line, length: length)
    }

    @inline(never)
    private static func uncommonName(
        _ line: RawSpan,
        length: Int
    ) throws(HTTP1Violation) -> (HTTPField.Name, HTTP1FieldRole) {
        if length > 0, line.byte(0).isBlank {
            throw .malformed("the header fields begin with white space")
        }
        if length > 0, line.byte(length - 1).isBlank {
            throw .malformed("the field name \(line.quoted(0..<length)) has white space before its colon")
        }
        for offset in 0..<length where !line.byte(offset).isToken {
            throw .malformed("the field name \(line.quoted(0..<length)) is not a token")
        }
        guard let name = HTTPField.Name(line.text(in: 0..<length)) else {
            throw .malformed("a field has an empty name")
        }
        return (name, HTTP1FieldRole(name))
    }

    /// Returns whether the value in `line`, which includes its end of line, is ASCII without control bytes.
    static func isPlainValue(_ line: RawSpan, from start: Int) -> Bool {
        guard let end = try? line.endOfContent(of: "a line of the header fields"), start <= end else { return false }
        return if case .ascii = scan(line, start..<end) { true } else { false }
    }

    private enum Content {
        case ascii
        case other
        /// The value has a control byte: it is folded or malformed.
        case control
    }

    /// Classifies the bytes of a value, eight at a time.
    @inline(__always)
    private static func scan(_ line: RawSpan, _ range: Range<Int>) -> Content {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var offset = range.lowerBound
        var (seen, suspects): (UInt64, UInt64) = (0, 0)
        while offset < range.upperBound {
            let count = min(8, range.upperBound - offset)
            var word: UInt64
            if count == 8 {
                word = line.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            } else {
                word = line.word(at: offset, count: count) | 0x2020_2020_2020_2020 &<< UInt64(count &* 8)
            }
            seen |= word
            // Subtraction borrows into the highest bit of bytes below 32; adding one carries into it for 127. There may
            // be false positives, which are then checked byte by byte.
            suspects |= ((word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101)) & ~word
            offset += 8
        }
        if suspects & highBits != 0 {
            for index in range where line.byte(index).isControl { return .control }
        }
        return seen & highBits == 0 ? .ascii : .other
    }

    private static func unfolded(
        _ line: RawSpan,
        _ range: Range<Int>,
        name: HTTPField.Name
    ) throws(HTTP1Violation) -> [UInt8] {
        var value: [UInt8] = []
        value.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let byte = line.byte(offset)
            // The line reader ends a line at each line feed that is not followed by white space.
            if byte == .carriageReturn, offset + 1 < range.upperBound, line.byte(offset + 1) == .lineFeed {
                while let last = value.last, last.isBlank { value.removeLast() }
                if !value.isEmpty { value.append(.space) }
                offset += 2
                while offset < range.upperBound, line.byte(offset).isBlank { offset += 1 }
                continue
            }
            guard !byte.isControl else {
                let place = "at its byte \(offset - range.lowerBound)"
                switch byte {
                case .carriageReturn:
                    throw .malformed("the value of the field \(name) holds a bare carriage return \(place)")
                case .lineFeed:
                    throw .malformed("the value of the field \(name) holds a bare line feed \(place)")
                default:
                    throw .malformed(
                        "the value of the field \(name) holds the control byte \(byte.hexadecimal) \(place)")
                }
            }
            value.append(byte)
            offset += 1
        }
        return value
    }
}
