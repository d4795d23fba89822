internal import AirframeTransport
internal import Glibc
internal import HTTPTypes

// The only unchecked memory access in HTTP/1.1. All other code uses spans, which check their bounds.

extension RawSpan {
    /// Returns the byte at `offset`; traps if it is out of bounds, as a subscript does.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// Returns the offset of the first line feed at or after `start`.
    func firstLineFeed(from start: Int) -> Int? {
        guard start < byteCount else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let place = memchr(base + start, 10, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(place) - base
        }
    }

    /// Returns up to eight bytes as one word, the first in the low bits; the rest is zero.
    @inline(__always)
    func word(at offset: Int, count: Int) -> UInt64 {
        if offset + 8 <= byteCount {
            let word = UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            return count >= 8 ? word : word & ((1 &<< UInt64(count &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for index in 0..<min(count, 8, byteCount - offset) {
            word |= UInt64(byte(offset + index)) &<< UInt64(index &* 8)
        }
        return word
    }

    /// Returns the offset of the first colon, searching eight bytes at a time.
    @inline(__always)
    func firstColon(before end: Int) -> Int? {
        var offset = 0
        while offset < end {
            let difference = word(at: offset, count: 8) ^ 0x3A3A_3A3A_3A3A_3A3A
            let zeros = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if zeros != 0 {
                let colon = offset + zeros.trailingZeroBitCount / 8
                return colon < end ? colon : nil
            }
            offset += 8
        }
        return nil
    }

    /// Whether there may be a byte that a request target cannot contain (RFC 9112 §3.2): white space, a control byte, a
    /// byte outside ASCII, or `#`. There may be false positives, which the caller checks byte by byte.
    @inline(__always)
    var mayHoldMoreThanTarget: Bool {
        guard byteCount >= 8 else {
            let filling: UInt64 = 0x2F2F_2F2F_2F2F_2F2F &<< UInt64(byteCount &* 8)
            return suspectsInTarget(word(at: 0, count: byteCount) | filling) != 0
        }
        var suspects: UInt64 = 0
        var offset = 0
        while offset + 8 < byteCount {
            suspects |= suspectsInTarget(unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        // The last eight bytes, some of which may already have been checked.
        return suspects | suspectsInTarget(unsafeLoadUnaligned(fromByteOffset: byteCount - 8, as: UInt64.self)) != 0
    }

    /// Returns the highest bit of each byte that a request target cannot contain. Subtraction borrows into it for bytes
    /// below 33 and for the zero that `#` leaves; adding one carries into it for 127.
    @inline(__always)
    private func suspectsInTarget(_ word: UInt64) -> UInt64 {
        let hash = word ^ 0x2323_2323_2323_2323
        let suspects =
            word | (word &- 0x2121_2121_2121_2121) | (word &+ 0x0101_0101_0101_0101)
            | ((hash &- 0x0101_0101_0101_0101) & ~hash)
        return suspects & 0x8080_8080_8080_8080
    }

    /// Returns the bytes of `range` as text. Invalid UTF-8 is replaced.
    @inline(__always)
    func text(in range: Range<Int>) -> String {
        extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns a field with the bytes of `range` as its value, which need not be UTF-8.
    func field(_ name: HTTPField.Name, _ range: Range<Int>) -> HTTPField {
        extracting(range).withUnsafeBytes { HTTPField(name: name, value: $0) }
    }
}

extension [UInt8] {
    mutating func append(contentsOf span: RawSpan, in range: Range<Int>) {
        span.extracting(range).withUnsafeBytes { append(contentsOf: $0) }
    }
}

extension UInt8 {
    static var carriageReturn: UInt8 { 13 }
    static var lineFeed: UInt8 { 10 }
    static var space: UInt8 { 32 }
    static var tab: UInt8 { 9 }

    /// Whether the byte is a space or tab: `OWS` (RFC 9110 §5.6.3).
    @inline(__always)
    var isBlank: Bool { self == .space || self == .tab }

    @inline(__always)
    var isDigit: Bool { self &- 48 < 10 }

    /// Whether the byte is forbidden in field values and reasons: `CTL` except the tab (RFC 9110 §5.5).
    @inline(__always)
    var isControl: Bool { (self < 32 && self != .tab) || self == 127 }

    /// Whether the byte can be part of a token (RFC 9110 §5.6.2).
    @inline(__always)
    var isToken: Bool {
        guard self < 128 else { return false }
        let set: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return (set &>> UInt64(self & 63)) & 1 == 1
    }

    /// The value of a hexadecimal digit.
    @inline(__always)
    var hexadecimalValue: Int64? {
        switch self {
        case 48...57: Int64(self - 48)
        case 65...70: Int64(self - 55)
        case 97...102: Int64(self - 87)
        default: nil
        }
    }
}
