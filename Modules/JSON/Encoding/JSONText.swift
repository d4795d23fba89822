/// The spelling of strings and numbers in JSON (RFC 8259 §6, §7), as `JSONEncoder` has it.
enum JSONText {
    /// Appends a string in quotation marks.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], escapingSlashes: Bool) {
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            guard needsEscape(byte), byte != UInt8(ascii: "/") || escapingSlashes else {
                index += 1
                continue
            }
            if start < index { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index])) }
            appendEscape(of: byte, to: &bytes)
            index += 1
            start = index
        }
        if start < text.count { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...])) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an integer.
    static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
        guard let small = UInt64(exactly: value.magnitude) else {
            return bytes.append(contentsOf: value.description.utf8)
        }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        guard small > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: small)) }
        let start = bytes.count
        var rest = small
        while rest > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        }
        bytes[start...].reverse()
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "/")
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let low = byte & 0x0F
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
