/// The error of a string that is not JSON.
package struct JSONReadingError: Error, Hashable, CustomStringConvertible {
    /// The offset of the offending byte.
    package let offset: Int
    /// The description of the fault.
    package let message: String

    /// One sentence.
    package var description: String { "no JSON (byte \(offset): \(message))" }
}

/// Reads JSON (RFC 8259) into a ``JSONNode``.
package struct JSONReader {
    /// Deeper nesting is refused: reading recurses.
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private var offset = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a whole text.
    ///
    /// - Throws: ``JSONReadingError``.
    package static func read(_ text: some Sequence<UInt8>) throws(JSONReadingError) -> JSONNode {
        var reader = JSONReader(Array(text))
        let node = try reader.value(depth: 0)
        reader.skipSpaces()
        guard reader.offset == reader.bytes.count else { throw reader.error("something follows the value") }
        return node
    }

    private func error(_ message: String) -> JSONReadingError { JSONReadingError(offset: offset, message: message) }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpaces() {
        while let byte = next, [0x20, 0x0A, 0x0D, 0x09].contains(byte) { offset += 1 }
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard next == byte.asciiValue else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONReadingError) -> JSONNode {
        guard depth < Self.maximumDepth else { throw error("it is nested too deeply") }
        skipSpaces()
        switch next.map({ Character(Unicode.Scalar($0)) }) {
        case "{": return try object(depth: depth)
        case "[": return try array(depth: depth)
        case "\"": return .string(try string())
        case "t": return try word("true", .bool(true))
        case "f": return try word("false", .bool(false))
        case "n": return try word("null", .null)
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": return .number(try number())
        case nil: throw error("the text ends where a value is expected")
        case let character?: throw error("'\(character)' does not begin a value")
        }
    }

    private mutating func word(_ word: String, _ node: JSONNode) throws(JSONReadingError) -> JSONNode {
        guard bytes[offset...].starts(with: word.utf8) else { throw error("\(word) is expected") }
        offset += word.utf8.count
        return node
    }

    private mutating func object(depth: Int) throws(JSONReadingError) -> JSONNode {
        offset += 1
        var members: [JSONNode.Member] = []
        skipSpaces()
        if take("}") { return .object([]) }
        while true {
            skipSpaces()
            guard next == UInt8(ascii: "\"") else { throw error("the name of a member is expected") }
            let name = try string()
            skipSpaces()
            guard take(":") else { throw error("':' is expected") }
            members.append(JSONNode.Member(name, try value(depth: depth + 1)))
            skipSpaces()
            if take(",") { continue }
            guard take("}") else { throw error("',' or '}' is expected") }
            return .object(members)
        }
    }

    private mutating func array(depth: Int) throws(JSONReadingError) -> JSONNode {
        offset += 1
        var elements: [JSONNode] = []
        skipSpaces()
        if take("]") { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpaces()
            if take(",") { continue }
            guard take("]") else { throw error("',' or ']' is expected") }
            return .array(elements)
        }
    }

    private mutating func number() throws(JSONReadingError) -> String {
        let start = offset
        _ = take("-")
        guard let first = next, isDigit(first) else { throw error("a digit is expected") }
        if !take("0") { skipDigits() }
        if take(".") {
            guard let byte = next, isDigit(byte) else { throw error("a digit is expected") }
            skipDigits()
        }
        if take("e") || take("E") {
            if !take("-") { _ = take("+") }
            guard let byte = next, isDigit(byte) else { throw error("a digit is expected") }
            skipDigits()
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func skipDigits() { while let byte = next, isDigit(byte) { offset += 1 } }

    private mutating func string() throws(JSONReadingError) -> String {
        offset += 1
        var units: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                offset += 1
                units += Array(try escape().utf8)
            case 0..<0x20: throw error("a control character in a string must be escaped")
            default:
                units.append(byte)
                offset += 1
            }
        }
        throw error("a string is not closed")
    }

    private mutating func escape() throws(JSONReadingError) -> String {
        guard let byte = next else { throw error("a string is not closed") }
        offset += 1
        switch Character(Unicode.Scalar(byte)) {
        case "n": return "\n"
        case "t": return "\t"
        case "r": return "\r"
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "\"": return "\""
        case "\\": return "\\"
        case "/": return "/"
        case "u":
            var units = [try codeUnit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: #"\u"#.utf8) {
                offset += 2
                units.append(try codeUnit())
            }
            return String(decoding: units, as: UTF16.self)
        default: throw error("'\\\(Character(Unicode.Scalar(byte)))' is not an escape")
        }
    }

    private mutating func codeUnit() throws(JSONReadingError) -> UInt16 {
        let digits = String(decoding: bytes[offset...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw error("four hexadecimal digits are expected")
        }
        offset += 4
        return unit
    }
}
