extension UnsafeBufferPointer<UInt8> {
    /// Whether there is a byte that no field's value may hold (RFC 9110 §5.5).
    var holdsLineBreakOrNUL: Bool {
        // The lowest byte is found many bytes at a time; that of most values is a blank.
        var lowest = UInt8.max
        for byte in self { lowest = Swift.min(lowest, byte) }
        guard lowest < 14 else { return false }
        return contains { $0 == 0 || $0 == 10 || $0 == 13 }
    }
}
