/// Percent-encoding (RFC 3986 §2.1) of all bytes except a set of ASCII characters.
///
/// The set is a table of 128 bits: a lookup in a `CharacterSet` takes some 40 ns a character.
package struct PercentEncoding: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates an encoding that leaves the ASCII characters of `unescaped` unchanged.
    package init(leaving unescaped: some Sequence<UInt8>) {
        for byte in unescaped { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        switch byte {
        case 0..<64: low |= 1 << byte
        case 64..<128: high |= 1 << (byte - 64)
        default: break
        }
    }

    /// Returns an encoding that leaves the characters of both sets unchanged.
    package func union(_ other: PercentEncoding) -> PercentEncoding {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    /// Returns whether `byte` stays unchanged.
    package func leaves(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low >> byte & 1 == 1
        case 64..<128: high >> (byte - 64) & 1 == 1
        default: false
        }
    }

    /// Returns `text`, encoded as UTF-8 with upper-case digits.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - replacesSpaces: Whether a space becomes a plus, as in forms.
    package func encode(_ text: String, replacesSpaces: Bool = false) -> String {
        let space = UInt8(ascii: " ")
        guard !text.utf8.allSatisfy({ leaves($0) && !(replacesSpaces && $0 == space) }) else { return text }
        return encode(bytes: text.utf8, replacesSpaces: replacesSpaces)
    }

    /// Returns `bytes`, encoded with upper-case digits.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - replacesSpaces: Whether a space becomes a plus, as in forms.
    ///   - keepsTriplets: Whether a percent sign that is followed by two hexadecimal digits stays.
    package func encode(
        bytes: some Collection<UInt8>,
        replacesSpaces: Bool = false,
        keepsTriplets: Bool = false
    ) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count * 2)
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            if replacesSpaces, byte == UInt8(ascii: " ") {
                encoded.append(UInt8(ascii: "+"))
            } else if leaves(byte) || (keepsTriplets && Self.isTriplet(bytes[index...])) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 0xF)]
            }
            index = bytes.index(after: index)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}

extension PercentEncoding {
    /// Leaves unreserved characters (RFC 3986 §2.3), as URI templates and AWS signatures require.
    package static let unreserved = PercentEncoding(leaving: letters + digits + Array("-._~".utf8))

    /// Leaves unreserved and reserved characters (RFC 3986 §2.2).
    package static let reserved = unreserved.union(PercentEncoding(leaving: ":/?#[]@!$&'()*+,;=".utf8))

    /// The percent-encode set of forms (WHATWG URL §1.3).
    package static let form = PercentEncoding(leaving: letters + digits + Array("*-._".utf8))

    private static let letters =
        Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + Array(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    private static let digits = Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
}

extension PercentEncoding {
    /// Decodes percent-encoded text. A percent sign that is not followed by two hexadecimal digits stays.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - replacesPluses: Whether a plus becomes a space, as in forms.
    package static func decode(_ text: some StringProtocol, replacesPluses: Bool = false) -> [UInt8] {
        var decoded: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first {
            if byte == UInt8(ascii: "%"), isTriplet(bytes), let value = value(of: bytes.dropFirst().prefix(2)) {
                bytes = bytes.dropFirst(3)
                decoded.append(value)
            } else {
                bytes = bytes.dropFirst()
                decoded.append(replacesPluses && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }

    /// Returns whether `bytes` begin with a percent sign and two hexadecimal digits.
    package static func isTriplet(_ bytes: some Collection<UInt8>) -> Bool {
        let triplet = bytes.prefix(3)
        return triplet.count == 3 && triplet.first == UInt8(ascii: "%")
            && triplet.dropFirst().allSatisfy { hexadecimalValue($0) != nil }
    }

    private static func value(of digits: some Collection<UInt8>) -> UInt8? {
        digits.reduce(0) { value, digit in hexadecimalValue(digit).flatMap { digit in value.map { $0 << 4 | digit } } }
    }

    private static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
