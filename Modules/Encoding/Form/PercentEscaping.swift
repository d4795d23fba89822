public import Foundation

/// Percent-encoding (RFC 3986 §2.1) of all but certain ASCII characters.
///
/// Two words instead of a `CharacterSet`, which takes some 40 ns to say whether it has a character.
struct PercentEscaping: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The characters of ``Foundation/CharacterSet/afURLQueryAllowed``.
    static let query = PercentEscaping(allowed: .afURLQueryAllowed)

    /// What a query may hold (RFC 3986 §3.4), and the sign of what is encoded already.
    static let legalQuery = PercentEscaping(allowed: .urlQueryAllowed.union(CharacterSet(charactersIn: "%")))

    /// Leaves the ASCII characters of `allowed` as they are.
    init(allowed: CharacterSet) {
        for byte: UInt8 in 0..<128 where allowed.contains(Unicode.Scalar(byte)) {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low >> byte & 1 == 1
        case 64..<128: high >> (byte - 64) & 1 == 1
        default: false
        }
    }

    /// The text, encoded.
    func escape(_ text: String, spaces: URLEncodedFormEncoder.SpaceEncoding = .percentEscaped) -> String {
        // A space that is allowed stays one unless it is to be a plus: the option is the more specific wish.
        let plus = spaces == .plusReplaced
        guard !text.utf8.allSatisfy({ allows($0) && !(plus && $0 == UInt8(ascii: " ")) }) else { return text }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 2)
        for byte in text.utf8 {
            if plus && byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else if allows(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 0xF))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}

extension CharacterSet {
    /// What needs no encoding in a query's names and values: the characters that RFC 3986 §3.4 allows in a query, less
    /// the general and the sub-delimiters (§2.2), which may mean something to the server; `?` and `/` stay.
    public static let afURLQueryAllowed = CharacterSet.urlQueryAllowed.subtracting(
        CharacterSet(charactersIn: ":#[]@!$&'()*+,;=")
    )
}
