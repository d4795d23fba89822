/// The line before a chunk (RFC 9112 §7.1): its size in hexadecimal digits, and extensions, which mean nothing to us
/// but must be well formed, because a recipient that is careless about them finds other chunks.
enum HTTP1ChunkLine {
    /// Reads `line`, its end of line included.
    static func size(_ line: RawSpan) throws(HTTP1Violation) -> Int64 {
        let end = try line.endOfContent(of: "a chunk's size")
        var offset = 0
        var size: Int64 = 0
        while offset < end, let digit = line.byte(offset).hexadecimalValue {
            guard size <= Int64.max >> 4 else {
                throw .malformed("the chunk size \(line.quoted(0..<end)) is larger than 64 bits can hold")
            }
            size = size << 4 | digit
            offset += 1
        }
        guard offset > 0 else {
            throw .malformed("the chunk size \(line.quoted(0..<end)) does not begin with a hexadecimal digit")
        }
        if offset < end { try checkExtensions(line, offset..<end) }
        return size
    }

    /// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
    private static func checkExtensions(_ line: RawSpan, _ range: Range<Int>) throws(HTTP1Violation) {
        let end = range.upperBound
        var offset = range.lowerBound
        func skipBlanks() { while offset < end, line.byte(offset).isBlank { offset += 1 } }
        func skipToken() -> Bool {
            let start = offset
            while offset < end, line.byte(offset).isToken { offset += 1 }
            return offset > start
        }
        func malformed(_ what: String) -> HTTP1Violation {
            .malformed("\(what) in the chunk line \(line.quoted(0..<end))")
        }
        while offset < end {
            skipBlanks()
            guard offset < end, line.byte(offset) == UInt8(ascii: ";") else {
                throw malformed("something other than an extension follows the size")
            }
            offset += 1
            skipBlanks()
            guard skipToken() else { throw malformed("an extension has no name") }
            let afterName = offset
            skipBlanks()
            guard offset < end, line.byte(offset) == UInt8(ascii: "=") else {
                offset = afterName
                continue
            }
            offset += 1
            skipBlanks()
            if offset < end, line.byte(offset) == UInt8(ascii: "\"") {
                guard let after = endOfQuotedString(line, offset + 1, end) else {
                    throw malformed("a quoted extension does not end, or holds a control byte,")
                }
                offset = after
            } else {
                guard skipToken() else { throw malformed("an extension has no value") }
            }
        }
    }

    private static func endOfQuotedString(_ line: RawSpan, _ start: Int, _ end: Int) -> Int? {
        var offset = start
        while offset < end {
            switch line.byte(offset) {
            case UInt8(ascii: "\""): return offset + 1
            case UInt8(ascii: "\\"):
                guard offset + 1 < end, !line.byte(offset + 1).isControl else { return nil }
                offset += 2
            case let byte where byte.isControl: return nil
            default: offset += 1
            }
        }
        return nil
    }
}
