internal import Glibc
internal import HTTPTypes

// The only place in HTTP/1.1 where memory is touched by address: all else works on spans, which check their bounds.

extension RawSpan {
    /// The byte at `offset`; traps when there is none, as a subscript does.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 { unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

    /// The offset of the first line feed at `start` or after it.
    func firstLineFeed(from start: Int) -> Int? {
        guard start < byteCount else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let place = memchr(base + start, 10, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(place) - base
        }
    }

    /// Up to eight bytes as one word, the first one lowest; the rest is zero.
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

    /// The offset of the first colon, looked for eight bytes at a time.
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

    /// Whether there may be a byte that a request target cannot hold (RFC 9112 §3.2): white space, a control byte, one
    /// beyond ASCII, or `#`. It can err, but only towards a closer look.
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
        // The last eight bytes, of which some may have been looked at.
        return suspects | suspectsInTarget(unsafeLoadUnaligned(fromByteOffset: byteCount - 8, as: UInt64.self)) != 0
    }

    /// The highest bit of each byte that a request target cannot hold: set by borrowing for one below 33 and for the
    /// zero that `#` leaves, by adding one for 127.
    @inline(__always)
    private func suspectsInTarget(_ word: UInt64) -> UInt64 {
        let hash = word ^ 0x2323_2323_2323_2323
        let suspects =
            word | (word &- 0x2121_2121_2121_2121) | (word &+ 0x0101_0101_0101_0101)
            | ((hash &- 0x0101_0101_0101_0101) & ~hash)
        return suspects & 0x8080_8080_8080_8080
    }

    /// The bytes of `range` as text; what is not UTF-8 is replaced.
    @inline(__always)
    func text(in range: Range<Int>) -> String {
        extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A field with the bytes of `range` as its value, UTF-8 or not.
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

    /// A blank or tab: `OWS` (RFC 9110 §5.6.3).
    @inline(__always)
    var isBlank: Bool { self == .space || self == .tab }

    @inline(__always)
    var isDigit: Bool { self &- 48 < 10 }

    /// What field values and reasons cannot hold: `CTL` but for the tab (RFC 9110 §5.5).
    @inline(__always)
    var isControl: Bool { (self < 32 && self != .tab) || self == 127 }

    /// Whether it can be part of a token (RFC 9110 §5.6.2).
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
