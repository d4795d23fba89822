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

    private static let newline = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    private static let hash = UInt8(ascii: "#")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let opening = UInt8(ascii: "(")
    private static let closing = UInt8(ascii: ")")

    init(_ text: String) {
        bytes = Array(text.utf8)
        code = bytes.map { $0 == Self.newline ? $0 : Self.blank }
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
            let byte = bytes[index]
            if byte == Self.slash, follows(Self.slash) {
                scanLineComment()
                continue
            }
            if byte == Self.slash, follows(Self.star) {
                scanBlockComment()
                continue
            }
            if byte == Self.quote || byte == Self.hash, let hashes = hashesBeforeQuote() {
                scanString(hashes)
                continue
            }
            if byte == Self.opening { depth += 1 }
            if byte == Self.closing { depth -= 1 }
            guard depth >= 0 else { return }
            code[index] = byte
            index += 1
        }
    }

    private mutating func scanLineComment() {
        while index < bytes.count, bytes[index] != Self.newline { takeComment() }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        while index < bytes.count {
            if bytes[index] == Self.slash, follows(Self.star) {
                depth += 1
                takeComment()
            } else if bytes[index] == Self.star, follows(Self.slash) {
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
        let fence = [UInt8](repeating: Self.hash, count: hashes)
        index += hashes
        let isMultiline = isAt([Self.quote, Self.quote, Self.quote])
        let quotes = [UInt8](repeating: Self.quote, count: isMultiline ? 3 : 1)
        index += quotes.count
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.backslash, isAt([byte] + fence) {
                index += 1 + hashes
                let interpolates = isAt([Self.opening])
                index += 1
                guard interpolates else { continue }
                scanCode()
                index += 1
            } else if byte == Self.quote, isAt(quotes + fence) {
                index += quotes.count + hashes
                return
            } else if byte == Self.newline, !isMultiline {
                return
            } else {
                index += 1
            }
        }
    }

    /// The number of `#` before the quote that begins here, or `nil` when no literal does.
    private func hashesBeforeQuote() -> Int? {
        let end = bytes[index...].firstIndex { $0 != Self.hash } ?? bytes.endIndex
        return end < bytes.endIndex && bytes[end] == Self.quote ? end - index : nil
    }

    /// Whether `byte` comes after this one.
    private func follows(_ byte: UInt8) -> Bool { index + 1 < bytes.count && bytes[index + 1] == byte }

    private func isAt(_ text: [UInt8]) -> Bool { index <= bytes.count && bytes[index...].starts(with: text) }
}
