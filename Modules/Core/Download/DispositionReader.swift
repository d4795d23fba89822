/// A reader of the parts of a `Content-Disposition` value.
struct DispositionReader {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
        skipBlanks()
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Whether a part can end here.
    var isAtEndOfPart: Bool { rest.isEmpty || rest.first == UInt8(ascii: ";") }

    /// Reads a token (RFC 9110 §5.6.2) and the whitespace after it.
    mutating func token() -> String? { take(while: Self.isToken) }

    mutating func skipSemicolon() -> Bool { skip(UInt8(ascii: ";")) }

    mutating func skipEquals() -> Bool { skip(UInt8(ascii: "=")) }

    /// Reads a quoted string, or an unquoted value. The latter may have more characters than a token, since servers
    /// send names with brackets and non-ASCII letters, but no separators.
    mutating func value() -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            return take { $0 > 0x20 && $0 != 0x7F && !"\",;".utf8.contains($0) }
        }
        guard let quoted = takeQuoted() else { return nil }
        skipBlanks()
        return Self.isWindowsPath(quoted) ? quoted : Self.unescaped(quoted)
    }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String? {
        let end = rest.firstIndex { !isTaken($0) } ?? rest.endIndex
        let taken = Substring(rest[..<end])
        rest = rest[end...]
        skipBlanks()
        return taken.isEmpty ? nil : String(taken)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        skipBlanks()
        return true
    }

    private mutating func skipBlanks() {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Reads the text between quotes with its backslashes. Returns `nil` if the closing quote is missing.
    private mutating func takeQuoted() -> String? {
        rest.removeFirst()
        var quoted: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: quoted, as: UTF8.self) }
            quoted.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { quoted.append(escaped) }
        }
        return nil
    }

    /// Whether a name is the path of a file on the machine of a browser. Browsers that send such paths do not escape
    /// their backslashes.
    private static func isWindowsPath(_ name: String) -> Bool {
        let bytes = Array(name.utf8.prefix(3))
        guard bytes.count == 3 else { return false }
        let isDrive = Character(Unicode.Scalar(bytes[0])).isLetter && bytes[1] == UInt8(ascii: ":")
        return (isDrive && bytes[2] == UInt8(ascii: "\\")) || (bytes[0] == UInt8(ascii: "\\") && bytes[1] == bytes[0])
    }

    /// Returns a quoted string without its escapes (RFC 9110 §5.6.4).
    private static func unescaped(_ quoted: String) -> String {
        guard quoted.utf8.contains(UInt8(ascii: "\\")) else { return quoted }
        var result: [UInt8] = []
        var rest = quoted.utf8[...]
        while let byte = rest.popFirst() {
            result.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
