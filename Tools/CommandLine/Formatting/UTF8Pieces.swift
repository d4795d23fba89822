package import Foundation

/// UTF-8 that arrives in pieces. A character that the end of a piece cuts is decoded with the next piece.
package struct UTF8Pieces: Sendable {
    private var rest = Data()

    package init() {}

    /// The text of the open character and the next bytes, without a character that they leave open.
    package mutating func text(_ piece: Data) -> String {
        let bytes = rest + piece
        let count = Self.openCount(bytes)
        rest = Data(bytes.suffix(count))
        return String(decoding: bytes.dropLast(count), as: UTF8.self)
    }

    /// The text of a character that was left open: a replacement character, or nothing.
    package mutating func finish() -> String {
        defer { rest = Data() }
        return String(decoding: rest, as: UTF8.self)
    }

    /// The number of bytes at the end that begin a character and do not complete it (RFC 3629 §3).
    private static func openCount(_ bytes: Data) -> Int {
        var count = 0
        for byte in bytes.reversed().prefix(3) {
            count += 1
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return count < 2 ? count : 0
            case 0xE0...0xEF: return count < 3 ? count : 0
            case 0xF0...0xF4: return count
            default: return 0
            }
        }
        return 0
    }
}
