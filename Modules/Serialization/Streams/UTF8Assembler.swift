internal import Foundation
internal import Synchronization

/// An assembler of text from chunks of UTF-8 that may end within a character.
final class UTF8Assembler: Sendable {
    // Guards the bytes of an incomplete character: at most three.
    private let beginning = Mutex(Data())

    /// Returns the text of `piece`, with the character that the previous chunk began and without one that this chunk
    /// leaves incomplete; `nil` if no character is complete.
    func text(of piece: Data) -> String? {
        beginning.withLock { beginning in
            let bytes = beginning + piece
            let end = bytes.endIndex - Self.lengthOfBeginning(in: bytes)
            beginning = Data(bytes[end...])
            return end == bytes.startIndex ? nil : String(decoding: bytes[..<end], as: UTF8.self)
        }
    }

    /// Returns a replacement character for an incomplete character at the end.
    func rest() -> String? {
        beginning.withLock { beginning in
            defer { beginning = Data() }
            return beginning.isEmpty ? nil : String(decoding: beginning, as: UTF8.self)
        }
    }

    /// Discards an incomplete character.
    func reset() { beginning.withLock { $0 = Data() } }

    /// Returns the number of bytes at the end of `bytes` that begin a character (RFC 3629 §3).
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
