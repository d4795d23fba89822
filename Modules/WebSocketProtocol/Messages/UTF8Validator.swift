package import FoundationEssentials

/// An incremental validator of UTF-8, which rejects text at its first invalid byte (RFC 6455 §8.1, RFC 3629 §4).
package struct UTF8Validator: Sendable {
    /// The number of bytes that the current character lacks.
    private var missing = 0
    /// The range of the next byte, which is narrower after E0, ED, F0 and F4.
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    package init() {}

    /// Whether the bytes so far end at a character boundary.
    package var isComplete: Bool { missing == 0 }

    /// Consumes the next bytes.
    ///
    /// - Returns: Whether the bytes so far can begin a valid text.
    package mutating func accept(_ data: Data) -> Bool {
        data.withUnsafeBytes { accept($0) }
    }

    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var position = 0
        while position < bytes.count {
            if missing == 0, bytes.count - position >= 8,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            guard accept(bytes[position]) else { return false }
            position += 1
        }
        return true
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard missing == 0 else {
            guard byte >= lower, byte <= upper else { return false }
            (lower, upper) = (0x80, 0xBF)
            missing -= 1
            return true
        }
        switch byte {
        case ...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0...0xEF:
            missing = 2
            // E0 would start an overlong form, ED a surrogate.
            if byte == 0xE0 { lower = 0xA0 }
            if byte == 0xED { upper = 0x9F }
        case 0xF0...0xF4:
            missing = 3
            // F0 would start an overlong form, F4 a character beyond U+10FFFF.
            if byte == 0xF0 { lower = 0x90 }
            if byte == 0xF4 { upper = 0x8F }
        default: return false
        }
        return true
    }
}
