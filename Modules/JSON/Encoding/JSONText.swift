/// The spelling of strings and numbers in JSON (RFC 8259 §6, §7), as `JSONEncoder` has it.
enum JSONText {
    /// Appends a string in quotation marks.
    static func append(
        _ text: UnsafeBufferPointer<UInt8>,
        to bytes: inout GrowingBuffer<UInt8>,
        escapingSlashes: Bool
    ) {
        let escapes = JSONEscapes(escapingSlashes: escapingSlashes)
        var plain = 0
        // Room for the quotation marks too.
        bytes.append(upTo: text.count + 2) { place in
            place[0] = UInt8(ascii: "\"")
            plain = escapes.copyPlain(text, to: place + 1)
            guard plain == text.count else { return plain + 1 }
            place[plain + 1] = UInt8(ascii: "\"")
            return plain + 2
        }
        if plain < text.count { appendRest(text, from: plain, to: &bytes, escapes) }
    }

    /// Appends a string's bytes from the first on that needs an escape, and the quotation mark.
    @inline(never)
    private static func appendRest(
        _ text: UnsafeBufferPointer<UInt8>,
        from first: Int,
        to bytes: inout GrowingBuffer<UInt8>,
        _ escapes: JSONEscapes
    ) {
        var start = first
        for index in first..<text.count where escapes.contains(text[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            appendEscape(of: text[index], to: &bytes)
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends an integer.
    static func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout GrowingBuffer<UInt8>) {
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            for byte in value.description.utf8 { bytes.append(byte) }
            return
        }
        var rest = magnitude
        var count = value < 0 ? 2 : 1
        while rest > 9 {
            rest /= 10
            count += 1
        }
        // UInt64.max has 20 digits.
        bytes.append(upTo: 21) { place in
            if value < 0 { place[0] = UInt8(ascii: "-") }
            var rest = magnitude
            var index = count - 1
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
                rest = quotient
                index -= 1
            } while rest > 0
            return count
        }
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout GrowingBuffer<UInt8>) {
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
            bytes.append("u00")
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
