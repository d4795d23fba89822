/// Splits a command into words as a POSIX shell does (POSIX.1-2024, Shell Command Language §2.2), and quotes words.
///
/// Nothing is expanded: a variable or a command substitution is refused, because its value is not in the text.
package enum ShellWords {
    /// The words of a command.
    ///
    /// - Throws: ``ItemError`` for a quote that does not end and for what only a shell can do.
    package static func split(_ command: String) throws(ItemError) -> [String] {
        var words: [String] = []
        var word: String?
        var rest = Substring(command)
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\n", "\r\n":
                if let finished = word { words.append(finished) }
                word = nil
            case "\\":
                guard let next = rest.popFirst() else { throw ItemError("the command ends in a backslash") }
                if next != "\n", next != "\r\n" { word = (word ?? "") + String(next) }
            case "'":
                guard let end = rest.firstIndex(of: "'") else { throw ItemError("a quote ' is not closed") }
                word = (word ?? "") + rest[..<end]
                rest = rest[rest.index(after: end)...]
            case "\"": word = (word ?? "") + (try doubleQuoted(&rest))
            case "$":
                guard rest.first == "'" else { throw unexpanded("$\(rest.prefix(12))") }
                rest.removeFirst()
                word = (word ?? "") + (try ansiQuoted(&rest))
            case "`": throw unexpanded("`")
            case "|", ";", "&", "<", ">":
                throw operatorError(character)
            case "#" where word == nil: rest = rest.drop { $0 != "\n" }
            default: word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }

    /// A word that a shell reads literally.
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "@%+=:,./-_".utf8.contains(byte)
                }
            }
        return isPlain
            ? word
            : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static func unexpanded(_ text: String) -> ItemError {
        ItemError("'\(text)' is for a shell to expand: replace it by its value")
    }

    private static func operatorError(_ character: Character) -> ItemError {
        ItemError("'\(character)' is for a shell: quote it, or leave the rest of the command out")
    }

    private static func doubleQuoted(_ rest: inout Substring) throws(ItemError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return text
            case "\\":
                guard let next = rest.popFirst() else { break }
                if next == "\n" { continue }
                text += ["\"", "\\", "$", "`"].contains(next) ? "\(next)" : "\\\(next)"
            case "$" where rest.first.map({ $0.isLetter || "_{(".contains($0) }) == true:
                throw unexpanded("$\(rest.prefix(12))")
            case "`": throw unexpanded("`")
            default: text.append(character)
            }
        }
        throw ItemError("a quote \" is not closed")
    }

    /// `$'…'` of POSIX.1-2024, which browsers write for bodies with control characters.
    private static func ansiQuoted(_ rest: inout Substring) throws(ItemError) -> String {
        var text = ""
        while let character = rest.popFirst() {
            if character == "'" { return text }
            guard character == "\\", let escape = rest.popFirst() else {
                text.append(character)
                continue
            }
            switch escape {
            case "n": text += "\n"
            case "r": text += "\r"
            case "t": text += "\t"
            case "u", "U", "x":
                let digits = rest.prefix(escape == "x" ? 2 : escape == "u" ? 4 : 8).prefix(while: \.isHexDigit)
                guard let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
                    throw ItemError("'\\\(escape)\(digits)' is not an escape")
                }
                text.unicodeScalars.append(scalar)
                rest = rest.dropFirst(digits.count)
            default: text.append(escape)
            }
        }
        throw ItemError("a quote $' is not closed")
    }
}
