extension UnsafeBufferPointer<UInt8> {
    /// Whether a control character other than the tab is among the bytes, which no field value or reason phrase may
    /// contain (RFC 9110 §5.5).
    var holdsControl: Bool {
        var refused: UInt8 = 0
        for byte in self { refused |= (byte < 32 && byte != 9) || byte == 127 ? 1 : 0 }
        return refused != 0
    }

    /// Whether a CR, an LF or a NUL is among the bytes, which no field value may contain (RFC 9110 §5.5).
    var holdsLineBreakOrNUL: Bool {
        // The compiler vectorizes the search for the lowest byte, which is a space in most values.
        var lowest = UInt8.max
        for byte in self { lowest = Swift.min(lowest, byte) }
        guard lowest < 14 else { return false }
        return contains { $0 == 0 || $0 == 10 || $0 == 13 }
    }

    /// Whether no byte would end a field name or its line.
    var canBeFieldName: Bool {
        var refused: UInt8 = 0
        for byte in self {
            refused |= byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: ":") ? 1 : 0
        }
        return refused == 0
    }
}
