internal import Foundation

/// ISO-2022-JP (WHATWG Encoding §12.2): escape sequences switch between character sets. Foundation on Linux rejects
/// much of it, so it is transcoded to EUC-JP.
enum ISO2022JPText {
    private enum CharacterSet {
        case ascii
        /// ASCII with a yen sign for the backslash and an overline for the tilde.
        case roman
        case katakana
        case jis0208
    }

    static func decode(_ data: Data) -> String? {
        var text = ""
        var run = Data()
        var set = CharacterSet.ascii
        var rest = data[...]
        while let byte = rest.popFirst() {
            switch (byte, set) {
            case (0x1B, _):
                guard let next = characterSet(rest.prefix(2)) else { return nil }
                set = next
                rest = rest.dropFirst(2)
            case (0x0E, _), (0x0F, _), (0x80..., _):
                return nil
            case (0x5C, .roman), (0x7E, .roman):
                guard let before = EUCJPText.decode(run) else { return nil }
                text += before + (byte == 0x5C ? "\u{A5}" : "\u{203E}")
                run = Data()
            case (_, .ascii), (_, .roman), (0x0A, _):
                run.append(byte)
            case (0x21...0x5F, .katakana):
                run.append(contentsOf: [0x8E, byte + 0x80])
            case (0x21...0x7E, .jis0208):
                guard let trail = rest.popFirst(), (0x21...0x7E).contains(trail) else { return nil }
                run.append(contentsOf: [byte + 0x80, trail + 0x80])
            default:
                return nil
            }
        }
        return EUCJPText.decode(run).map { text + $0 }
    }

    private static func characterSet(_ escape: Data) -> CharacterSet? {
        switch Array(escape) {
        case Array("(B".utf8): .ascii
        case Array("(J".utf8): .roman
        case Array("(I".utf8): .katakana
        case Array("$@".utf8), Array("$B".utf8): .jis0208
        default: nil
        }
    }
}
