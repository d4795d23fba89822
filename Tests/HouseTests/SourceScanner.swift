/// Tells code, comments and string literals of a Swift file apart.
///
/// It knows as much of the language as that takes: nested comments, raw and multi-line literals, interpolations.
struct SourceScanner {
    private let bytes: [UInt8]
    private var index = 0
    /// The code, as long as the file; all else is blank.
    private(set) var code: [UInt8]
    /// The comments, as long as the file; all else is blank.
    private(set) var comments: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
        comments = code
    }

    mutating func scanAll() {
        while index < bytes.count {
            scanCode()
            // A parenthesis that nothing opened.
            index += 1
        }
    }

    /// Scans up to the parenthesis that closes the one before, or to the end.
    private mutating func scanCode() {
        var depth = 0
        while index < bytes.count {
            if isAt("//") {
                scanLineComment()
            } else if isAt("/*") {
                scanBlockComment()
            } else if let hashes = hashesBeforeQuote() {
                scanString(hashes)
            } else {
                if isAt("(") { depth += 1 }
                if isAt(")") { depth -= 1 }
                guard depth >= 0 else { return }
                code[index] = bytes[index]
                index += 1
            }
        }
    }

    private mutating func scanLineComment() {
        while index < bytes.count, !isAt("\n") { takeComment() }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        while index < bytes.count {
            if isAt("/*") {
                depth += 1
                takeComment()
            } else if isAt("*/") {
                depth -= 1
                takeComment()
            }
            takeComment()
            if depth == 0 { return }
        }
    }

    private mutating func takeComment() {
        guard index < bytes.count else { return }
        comments[index] = bytes[index]
        index += 1
    }

    /// Scans a literal that begins with `hashes` number signs.
    private mutating func scanString(_ hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        index += hashes
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        index += quotes.utf8.count
        while index < bytes.count {
            if isAt("\\" + fence + "(") {
                index += hashes + 2
                scanCode()
                index += 1
            } else if isAt("\\" + fence) {
                index += hashes + 2
            } else if isAt(quotes + fence) {
                index += quotes.utf8.count + hashes
                return
            } else if isAt("\n"), quotes == "\"" {
                return
            } else {
                index += 1
            }
        }
    }

    /// The number of `#` before the quote that begins here, or `nil` when no literal does.
    private func hashesBeforeQuote() -> Int? {
        let rest = bytes[index...]
        let hashes = rest.prefix { $0 == UInt8(ascii: "#") }.count
        return rest.dropFirst(hashes).first == UInt8(ascii: "\"") ? hashes : nil
    }

    private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
}
