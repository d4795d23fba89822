/// Parses the text of a netrc file, token by token.
struct NetrcParser {
    private struct Word {
        let text: String
        let isQuoted: Bool
        let line: Int
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func entries() throws(NetrcError) -> [Netrc.Entry] {
        var entries: [Netrc.Entry] = []
        var current: (machine: String?, login: String, password: String)?
        func finished() -> [Netrc.Entry] {
            current.map { [Netrc.Entry(machine: $0.machine, login: $0.login, password: $0.password)] } ?? []
        }
        while let word = try word() {
            switch word.isQuoted ? "" : word.text.lowercased() {
            case "machine":
                entries += finished()
                current = (try value(of: word), "", "")
            case "default":
                entries += finished()
                current = (nil, "", "")
            case "login": current?.login = try value(of: word)
            case "password": current?.password = try value(of: word)
            case "account": _ = try value(of: word)
            case "macdef":
                _ = try value(of: word)
                skipMacro()
            // curl ignores unknown tokens.
            default: break
            }
        }
        return entries + finished()
    }

    private mutating func value(of keyword: Word) throws(NetrcError) -> String {
        guard let value = try word() else {
            throw .malformed(line: keyword.line, reason: "\(keyword.text) has no value")
        }
        return value.text
    }

    /// The next token; `nil` at the end.
    private mutating func word() throws(NetrcError) -> Word? {
        skipBlanks()
        guard position < bytes.count else { return nil }
        let start = line
        if bytes[position] == UInt8(ascii: "\"") {
            return Word(text: try quoted(), isQuoted: true, line: start)
        }
        let word = bytes[position...].prefix { !Self.isBlank($0) }
        position = word.endIndex
        return Word(text: String(decoding: word, as: UTF8.self), isQuoted: false, line: start)
    }

    private mutating func quoted() throws(NetrcError) -> String {
        let start = line
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                byte = Self.unescaped(bytes[position])
                position += 1
            }
            text.append(byte)
        }
        throw .malformed(line: start, reason: "a quoted value is not terminated")
    }

    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 10
        case UInt8(ascii: "r"): 13
        case UInt8(ascii: "t"): 9
        default: byte
        }
    }

    /// Skips spaces, tabs, line ends and comments.
    private mutating func skipBlanks() {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "#") {
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
            } else if Self.isBlank(bytes[position]) {
                if bytes[position] == UInt8(ascii: "\n") { line += 1 }
                position += 1
            } else {
                return
            }
        }
    }

    /// Skips the rest of the line and all lines up to an empty one.
    private mutating func skipMacro() {
        _ = nextLine()
        while position < bytes.count, !nextLine().isEmpty {}
    }

    private mutating func nextLine() -> ArraySlice<UInt8> {
        let content = bytes[position...].prefix { $0 != UInt8(ascii: "\n") }
        position = min(content.endIndex + 1, bytes.count)
        line += 1
        return content.last == UInt8(ascii: "\r") ? content.dropLast() : content
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
