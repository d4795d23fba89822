internal import Foundation
internal import Synchronization

/// Puts texts together from pieces of UTF-8 that may end within a character.
final class UTF8Assembler: Sendable {
    // Guards the beginning of a character whose rest has yet to come: at most three bytes.
    private let beginning = Mutex(Data())

    /// The text of `piece`, with the character that the last piece began and without one that this piece only begins.
    /// `nil` when no whole character is there yet.
    func text(of piece: Data) -> String? {
        beginning.withLock { beginning in
            let bytes = beginning + piece
            let end = bytes.endIndex - Self.lengthOfBeginning(in: bytes)
            beginning = Data(bytes[end...])
            return end == bytes.startIndex ? nil : String(decoding: bytes[..<end], as: UTF8.self)
        }
    }

    /// What was begun and will not be finished, as a replacement character.
    func rest() -> String? {
        beginning.withLock { beginning in
            defer { beginning = Data() }
            return beginning.isEmpty ? nil : String(decoding: beginning, as: UTF8.self)
        }
    }

    /// How many bytes at the end of `bytes` are the beginning of a character (RFC 3629 §3).
    private static func lengthOfBeginning(in bytes: Data) -> Int {
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            let present = index + 1
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return present < 2 ? present : 0
            case 0xE0...0xEF: return present < 3 ? present : 0
            case 0xF0...0xF4: return present < 4 ? present : 0
            default: return 0
            }
        }
        return 0
    }
}
