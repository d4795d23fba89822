extension UnsafeBufferPointer<UInt8> {
    /// Whether there is a byte that no field's value and no reason may hold: a control byte other than the tab
    /// (RFC 9110 §5.5).
    var holdsControl: Bool {
        var refused: UInt8 = 0
        for byte in self { refused |= (byte < 32 && byte != 9) || byte == 127 ? 1 : 0 }
        return refused != 0
    }

    /// Whether there is a byte that no field's value may hold (RFC 9110 §5.5).
    var holdsLineBreakOrNUL: Bool {
        // The lowest byte is found many bytes at a time; that of most values is a blank.
        var lowest = UInt8.max
        for byte in self { lowest = Swift.min(lowest, byte) }
        guard lowest < 14 else { return false }
        return contains { $0 == 0 || $0 == 10 || $0 == 13 }
    }

    /// Whether there is nothing that would end a field's name, or its line.
    var canBeFieldName: Bool {
        var refused: UInt8 = 0
        for byte in self {
            refused |= byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: ":") ? 1 : 0
        }
        return refused == 0
    }
}
