/// The bytes of a string that JSON writes with a backslash (RFC 8259 §7).
struct JSONEscapes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A slash, or a quotation mark again if slashes stay as they are.
    private let third: UInt8

    init(escapingSlashes: Bool) { third = escapingSlashes ? UInt8(ascii: "/") : UInt8(ascii: "\"") }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == third
    }

    /// Copies the bytes before the first that needs an escape.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - place: Memory for as many bytes as the text has.
    /// - Returns: The number of bytes that were copied.
    @inline(__always)
    func copyPlain(_ text: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>) -> Int {
        guard let start = text.baseAddress else { return 0 }
        let source = UnsafeRawPointer(start)
        let target = UnsafeMutableRawPointer(place)
        var index = 0
        while index &+ 8 <= text.count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard !contains(anyOf: word) else { break }
            target.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        while index < text.count, !contains(text[index]) {
            place[index] = text[index]
            index &+= 1
        }
        return index
    }

    /// Returns whether one of eight bytes needs an escape.
    @inline(__always)
    private func contains(anyOf word: UInt64) -> Bool {
        let controls = (word &- Self.ones &* 0x20) & ~word
        let quotes = zeros(word ^ Self.ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = zeros(word ^ Self.ones &* UInt64(UInt8(ascii: "\\")))
        return (controls | quotes | backslashes | zeros(word ^ Self.ones &* UInt64(third))) & Self.highBits != 0
    }

    /// Returns a word with a high bit if one of the bytes is zero.
    @inline(__always)
    private func zeros(_ word: UInt64) -> UInt64 { (word &- Self.ones) & ~word }
}
