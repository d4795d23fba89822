import Foundation

/// Separates the code, the comments and the string literals of a Swift file.
///
/// It parses only the syntax that this needs: nested comments, raw and multi-line literals, interpolations. Tests
/// are built without optimization, where a loop over all bytes of all sources takes many seconds, so it leaps from one
/// byte that matters to the next with the C library's `strcspn`.
struct SourceScanner {
    // With a zero at the end, where every search stops.
    private let bytes: [UInt8]
    private var index = 0
    /// The code, as long as the file; all else is blank.
    private(set) var code: [UInt8]
    /// The comments, as long as the file; all else is blank.
    private(set) var comments: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8) + [0]
        code = [UInt8](repeating: UInt8(ascii: " "), count: bytes.count - 1)
        comments = []
        leap(toAnyOf: "\n")
        while !isAtEnd {
            code[index] = UInt8(ascii: "\n")
            index += 1
            leap(toAnyOf: "\n")
        }
        index = 0
        comments = code
    }

    mutating func scanAll() {
        while !isAtEnd {
            scanCode()
            // A closing parenthesis without an opening one.
            if !isAtEnd { index += 1 }
        }
    }

    /// Scans up to the parenthesis that closes the one before, or to the end.
    private mutating func scanCode() {
        var depth = 0
        while true {
            take(upToAnyOf: "/\"#()", into: \.code)
            if isAtEnd { return }
            if isAt("//") {
                take(upToAnyOf: "\n", into: \.comments)
            } else if isAt("/*") {
                scanBlockComment()
            } else if let hashes = hashesBeforeQuote() {
                scanString(hashes)
            } else {
                if isAt("(") { depth += 1 }
                if isAt(")") { depth -= 1 }
                guard depth >= 0 else { return }
                take(1, into: \.code)
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                take(2, into: \.comments)
            } else if isAt("*/") {
                depth -= 1
                take(2, into: \.comments)
            } else {
                take(1, into: \.comments)
            }
            if depth > 0 { take(upToAnyOf: "/*", into: \.comments) }
        } while depth > 0 && !isAtEnd
    }

    /// Scans a literal that begins with `hashes` number signs.
    private mutating func scanString(_ hashes: Int) {
        let fence = String(repeating: "#", count: hashes)
        index += hashes
        let quotes = isAt("\"\"\"") ? "\"\"\"" : "\""
        index += quotes.utf8.count
        while true {
            leap(toAnyOf: quotes == "\"" ? "\\\"\n" : "\\\"")
            if isAtEnd || isAt("\n") { return }
            if isAt("\\" + fence + "(") {
                index += hashes + 2
                scanCode()
                if !isAtEnd { index += 1 }
            } else if isAt("\\" + fence) {
                index = min(index + hashes + 2, bytes.count - 1)
            } else if isAt(quotes + fence) {
                index += quotes.utf8.count + hashes
                return
            } else {
                index += 1
            }
        }
    }

    /// The number of `#` before the quote that begins here, or `nil` when no literal does.
    private func hashesBeforeQuote() -> Int? {
        var end = index
        while bytes[end] == UInt8(ascii: "#") { end += 1 }
        return bytes[end] == UInt8(ascii: "\"") ? end - index : nil
    }

    // MARK: Moving

    private var isAtEnd: Bool { index >= bytes.count - 1 }

    private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private func distance(toAnyOf stops: String) -> Int {
        bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { strcspn(($0 + index).assumingMemoryBound(to: CChar.self), stops) } ?? 0
        }
    }

    private mutating func leap(toAnyOf stops: String) { index += distance(toAnyOf: stops) }

    private mutating func take(upToAnyOf stops: String, into kept: WritableKeyPath<Self, [UInt8]>) {
        take(distance(toAnyOf: stops), into: kept)
    }

    private mutating func take(_ count: Int, into kept: WritableKeyPath<Self, [UInt8]>) {
        let end = min(index + count, bytes.count - 1)
        let start = index
        bytes.withUnsafeBytes { source in
            self[keyPath: kept].withUnsafeMutableBytes { target in
                UnsafeMutableRawBufferPointer(rebasing: target[start..<end])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<end]))
            }
        }
        index = end
    }
}
