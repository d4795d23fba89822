/// The line before a chunk (RFC 9112 §7.1): its size in hexadecimal digits, and extensions.
///
/// Extensions are ignored but must be well formed: a lenient recipient would find different chunk boundaries.
package enum ChunkLine {
    /// The maximum number of digits of a size. More leading zeros only serve to confuse recipients.
    private static let digitLimit = 16

    /// Parses `line`, including its line end.
    ///
    /// - Returns: The number of bytes of the chunk.
    package static func size(_ line: RawSpan) throws(FramingViolation) -> Int64 {
        let end = line.byteCount - 2
        guard end >= 0, line.byte(end) == 13, line.byte(end + 1) == 10 else {
            throw FramingViolation("the line before a chunk does not end in CR LF")
        }
        var offset = 0
        var size: Int64 = 0
        while offset < end, let digit = line.byte(offset).hexadecimalValue {
            guard offset < digitLimit, size <= Int64.max >> 4 else {
                throw FramingViolation("the chunk size \(line.quoted(end)) is larger than 64 bits can hold")
            }
            size = size << 4 | digit
            offset += 1
        }
        guard offset > 0 else {
            throw FramingViolation("the chunk size \(line.quoted(end)) does not begin with a hexadecimal digit")
        }
        if offset < end { try checkExtensions(line, offset..<end) }
        return size
    }

    /// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
    private static func checkExtensions(_ line: RawSpan, _ range: Range<Int>) throws(FramingViolation) {
        let end = range.upperBound
        var offset = range.lowerBound
        func skipBlanks() { while offset < end, line.byte(offset).isBlank { offset += 1 } }
        func skipToken() -> Bool {
            let start = offset
            while offset < end, line.byte(offset).isToken { offset += 1 }
            return offset > start
        }
        func malformed(_ what: String) -> FramingViolation {
            FramingViolation("\(what) in the chunk line \(line.quoted(end))")
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

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// The line up to `end`, in quotation marks and shortened.
    fileprivate func quoted(_ end: Int) -> String {
        let text = extracting(0..<Swift.min(end, 80)).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return text.debugDescription
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 32 || self == 9 }

    fileprivate var isControl: Bool { (self < 32 && self != 9) || self == 127 }

    /// Whether the byte can be part of a token (RFC 9110 §5.6.2).
    fileprivate var isToken: Bool {
        guard self < 128 else { return false }
        let set: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return (set &>> UInt64(self & 63)) & 1 == 1
    }

    fileprivate var hexadecimalValue: Int64? {
        switch self {
        case 48...57: Int64(self - 48)
        case 65...70: Int64(self - 55)
        case 97...102: Int64(self - 87)
        default: nil
        }
    }
}
