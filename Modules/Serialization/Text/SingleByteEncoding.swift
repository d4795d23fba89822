internal import Foundation
internal import Synchronization

/// An encoding with one byte per character (WHATWG Encoding §9). The raw value is CoreFoundation's number.
enum SingleByteEncoding: UInt32, CaseIterable, Sendable, Hashable {
    case ibm866 = 0x041B
    case iso8859_2 = 0x0202
    case iso8859_3 = 0x0203
    case iso8859_4 = 0x0204
    case iso8859_5 = 0x0205
    case iso8859_6 = 0x0206
    case iso8859_7 = 0x0207
    case iso8859_8 = 0x0208
    case iso8859_10 = 0x020A
    case iso8859_13 = 0x020D
    case iso8859_14 = 0x020E
    case iso8859_15 = 0x020F
    case iso8859_16 = 0x0210
    case koi8R = 0x0A02
    case koi8U = 0x0A08
    case macintosh = 0x0000
    case windows874 = 0x041D
    case windows1250 = 0x0501
    case windows1251 = 0x0502
    case windows1252 = 0x0500
    case windows1253 = 0x0503
    case windows1254 = 0x0504
    case windows1255 = 0x0505
    case windows1256 = 0x0506
    case windows1257 = 0x0507
    case windows1258 = 0x0508
    case macCyrillic = 0x0007

    /// Returns the text, or `nil` if a byte is unassigned.
    func decode(_ data: Data) -> String? {
        let upper = Self.tables.withLock { tables in
            if let table = tables[self] { return table }
            let table = SingleByteIndex.scalars(list)
            tables[self] = table
            return table
        }
        var text = String.UnicodeScalarView()
        for byte in data {
            guard byte >= 0x80 else {
                text.append(Unicode.Scalar(byte))
                continue
            }
            let scalar = upper[Int(byte - 0x80)]
            guard scalar != "\u{FFFD}" else { return nil }
            text.append(scalar)
        }
        return String(text)
    }

    // Guards the tables that have been built so far.
    private static let tables = Mutex<[SingleByteEncoding: [Unicode.Scalar]]>([:])

    private var list: String {
        switch self {
        case .ibm866: SingleByteIndex.ibm866
        case .iso8859_2: SingleByteIndex.iso8859_2
        case .iso8859_3: SingleByteIndex.iso8859_3
        case .iso8859_4: SingleByteIndex.iso8859_4
        case .iso8859_5: SingleByteIndex.iso8859_5
        case .iso8859_6: SingleByteIndex.iso8859_6
        case .iso8859_7: SingleByteIndex.iso8859_7
        case .iso8859_8: SingleByteIndex.iso8859_8
        case .iso8859_10: SingleByteIndex.iso8859_10
        case .iso8859_13: SingleByteIndex.iso8859_13
        case .iso8859_14: SingleByteIndex.iso8859_14
        case .iso8859_15: SingleByteIndex.iso8859_15
        case .iso8859_16: SingleByteIndex.iso8859_16
        case .koi8R: SingleByteIndex.koi8R
        case .koi8U: SingleByteIndex.koi8U
        case .macintosh: SingleByteIndex.macintosh
        case .windows874: SingleByteIndex.windows874
        case .windows1250: SingleByteIndex.windows1250
        case .windows1251: SingleByteIndex.windows1251
        case .windows1252: SingleByteIndex.windows1252
        case .windows1253: SingleByteIndex.windows1253
        case .windows1254: SingleByteIndex.windows1254
        case .windows1255: SingleByteIndex.windows1255
        case .windows1256: SingleByteIndex.windows1256
        case .windows1257: SingleByteIndex.windows1257
        case .windows1258: SingleByteIndex.windows1258
        case .macCyrillic: SingleByteIndex.macCyrillic
        }
    }
}
