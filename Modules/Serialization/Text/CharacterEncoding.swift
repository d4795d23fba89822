internal import AirframeTransport
internal import Foundation

/// A character encoding by the labels that servers send in `charset` (WHATWG Encoding §4.2).
///
/// The labels and mappings are the standard's, because servers use them as browsers do: `latin1` is windows-1252,
/// `gb2312` is GBK, `shift_jis` has Microsoft's extensions. UTF-32, which the standard lacks, is supported too.
enum CharacterEncoding: Sendable, Hashable {
    case utf8
    case utf16BigEndian
    case utf16LittleEndian
    /// Big-endian unless a byte order mark says otherwise.
    case utf32
    case utf32BigEndian
    case utf32LittleEndian
    /// ASCII, with one character for each byte from 0x80 on.
    case singleByte(SingleByteEncoding)
    /// An encoding that Foundation decodes, by CoreFoundation's number.
    case foundation(UInt32)
    case eucJP
    case iso2022JP
    /// Bytes from 0x80 on as the private characters from U+F780 on.
    case userDefined
    /// Encodings that attackers use to hide ASCII. They are never decoded.
    case replacement

    /// Returns the encoding of a label, regardless of case and surrounding whitespace; `nil` for an unknown label.
    init?(label: String) {
        let blanks: Set<Character> = [" ", "\t", "\n", "\u{c}", "\r", "\r\n"]
        let trimmed = label.drop(while: blanks.contains)
        let end = trimmed.lastIndex { !blanks.contains($0) }.map(trimmed.index(after:)) ?? trimmed.startIndex
        guard let encoding = CharacterEncodingLabels.encodings[trimmed[..<end].lowercased()] else { return nil }
        self = encoding
    }

    /// Returns the encoding of a byte order mark (WHATWG Encoding §6, and UTF-32) and the mark's length.
    static func marked(_ data: Data) -> (encoding: CharacterEncoding, length: Int)? {
        // UTF-32 comes first: the mark of little-endian UTF-32 begins with that of UTF-16.
        if data.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
        if data.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
        if data.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if data.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        if data.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        return nil
    }

    /// Returns whether text in this encoding may begin with the mark of `other`, which then determines the byte order.
    func isMarked(as other: CharacterEncoding) -> Bool {
        switch (self, other) {
        // The label `utf-16` stands for little-endian (WHATWG Encoding §4.2).
        case (.utf16LittleEndian, .utf16BigEndian): true
        case (.utf32, .utf32BigEndian), (.utf32, .utf32LittleEndian): true
        default: self == other
        }
    }

    /// Returns the text, or `nil` if the bytes are invalid in this encoding.
    func decode(_ data: Data) -> String? {
        switch self {
        case .utf8: String(validating: data, as: UTF8.self)
        case .utf16BigEndian: UTF16Text.decode(data, isBigEndian: true)
        case .utf16LittleEndian: UTF16Text.decode(data, isBigEndian: false)
        case .utf32: String(data: data, encoding: .utf32)
        case .utf32BigEndian: String(data: data, encoding: .utf32BigEndian)
        case .utf32LittleEndian: String(data: data, encoding: .utf32LittleEndian)
        case .singleByte(let encoding): encoding.decode(data)
        case .foundation: String(data: data, encoding: stringEncoding)
        case .eucJP: EUCJPText.decode(data)
        case .iso2022JP: ISO2022JPText.decode(data)
        case .userDefined: Self.decodeUserDefined(data)
        case .replacement: data.isEmpty ? "" : nil
        }
    }

    /// Foundation's name for the encoding.
    var stringEncoding: String.Encoding {
        switch self {
        case .utf8, .replacement: .utf8
        case .utf16BigEndian: .utf16BigEndian
        case .utf16LittleEndian: .utf16LittleEndian
        case .utf32: .utf32
        case .utf32BigEndian: .utf32BigEndian
        case .utf32LittleEndian: .utf32LittleEndian
        case .singleByte(let encoding): Self.coreFoundation(encoding.rawValue)
        case .foundation(let number): Self.coreFoundation(number)
        case .eucJP: .japaneseEUC
        case .iso2022JP: .iso2022JP
        case .userDefined: .nonLossyASCII
        }
    }

    /// Foundation's encodings are CoreFoundation's numbers with the highest bit set, except for those with constants.
    private static func coreFoundation(_ number: UInt32) -> String.Encoding {
        switch number {
        case 0x0500: .windowsCP1252
        case 0x0501: .windowsCP1250
        case 0x0502: .windowsCP1251
        case 0x0503: .windowsCP1253
        case 0x0504: .windowsCP1254
        case 0x0202: .isoLatin2
        case 0x0000: .macOSRoman
        default: String.Encoding(rawValue: UInt(0x8000_0000 | number))
        }
    }

    private static func decodeUserDefined(_ data: Data) -> String? {
        var text = String.UnicodeScalarView()
        for byte in data {
            let value = byte < 0x80 ? UInt32(byte) : 0xF780 + UInt32(byte - 0x80)
            guard let scalar = Unicode.Scalar(value) else { return nil }
            text.append(scalar)
        }
        return String(text)
    }
}

/// UTF-16 of one byte order, without a mark.
private enum UTF16Text {
    static func decode(_ data: Data, isBigEndian: Bool) -> String? {
        guard data.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(data.count / 2)
        var first: UInt8?
        for byte in data {
            guard let high = first else {
                first = byte
                continue
            }
            units.append(isBigEndian ? UInt16(high) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(high))
            first = nil
        }
        return String(validating: units, as: UTF16.self)
    }
}
