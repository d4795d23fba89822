/// Reads JSON (RFC 8259) into nodes.
///
/// It answers `nil` to anything that is not plainly valid, and says nothing of why: that is for Foundation's decoder.
struct JSONScanner {
    /// As deep as Foundation's decoder goes.
    private static let maximumDepth = 512

    private let bytes: [UInt8]
    private var index = 0
    private(set) var nodes: [JSONNode] = []
    /// The containers that are open.
    private var open: [Int] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        nodes.reserveCapacity(bytes.count / 6 + 4)
    }

    /// Reads the whole document; `false` for one that is not plainly valid.
    mutating func scan() -> Bool {
        guard bytes.count < UInt32.max / 2 else { return false }
        skipBlanks()
        guard scanValue() else { return false }
        while let container = open.last {
            let isObject = nodes[container].kind == .object
            guard scanMember(of: container, isObject: isObject) else { return false }
        }
        skipBlanks()
        return index == bytes.count
    }

    /// The next member of an open container, or its end.
    private mutating func scanMember(of container: Int, isObject: Bool) -> Bool {
        skipBlanks()
        guard index < bytes.count else { return false }
        let isFirst = container == nodes.count - 1
        if bytes[index] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            index += 1
            open.removeLast()
            nodes[container].next = UInt32(nodes.count)
            return true
        }
        if !isFirst {
            guard bytes[index] == UInt8(ascii: ",") else { return false }
            index += 1
            skipBlanks()
        }
        if isObject {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), scanString() else { return false }
            skipBlanks()
            guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return false }
            index += 1
            skipBlanks()
        }
        nodes[container].end += 1
        return scanValue()
    }

    private mutating func scanValue() -> Bool {
        guard index < bytes.count else { return false }
        switch bytes[index] {
        case UInt8(ascii: "\""): return scanString()
        case UInt8(ascii: "{"): return begin(.object)
        case UInt8(ascii: "["): return begin(.array)
        case UInt8(ascii: "t"): return scan("true", .true)
        case UInt8(ascii: "f"): return scan("false", .false)
        case UInt8(ascii: "n"): return scan("null", .null)
        default: return scanNumber()
        }
    }

    private mutating func begin(_ kind: JSONNode.Kind) -> Bool {
        guard open.count < Self.maximumDepth - 1 else { return false }
        open.append(nodes.count)
        append(kind, from: index, to: 0)
        index += 1
        return true
    }

    private mutating func scan(_ word: StaticString, _ kind: JSONNode.Kind) -> Bool {
        let count = word.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        let isEqual = word.withUTF8Buffer { letters in
            for offset in 0..<count where bytes[index + offset] != letters[offset] { return false }
            return true
        }
        guard isEqual else { return false }
        append(kind, from: index, to: index + count)
        index += count
        return true
    }

    private mutating func scanNumber() -> Bool {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let integer = skipDigits()
        guard integer > 0, integer == 1 || bytes[index - integer] != UInt8(ascii: "0") else { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits() > 0 else { return false }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            guard skipDigits() > 0 else { return false }
        }
        append(.number, from: start, to: index)
        return true
    }

    private mutating func skipDigits() -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index - start
    }

    private mutating func scanString() -> Bool {
        index += 1
        let start = index
        var kind = JSONNode.Kind.plainString
        var isASCII = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                if !isASCII {
                    guard (try? UTF8Span(validating: bytes.span.extracting(start..<index))) != nil else { return false }
                    if kind == .plainString { kind = .unicodeString }
                }
                append(kind, from: start, to: index)
                index += 1
                return true
            }
            guard byte >= 0x20 else { return false }
            if byte == UInt8(ascii: "\\") {
                kind = .escapedString
                guard skipEscape() else { return false }
            } else {
                if byte >= 0x80 { isASCII = false }
                index += 1
            }
        }
        return false
    }

    private mutating func skipEscape() -> Bool {
        guard index + 1 < bytes.count else { return false }
        switch bytes[index + 1] {
        case UInt8(ascii: "u"):
            // Surrogates are rare, and lone ones an error in some places: they are left to Foundation.
            guard let unit = JSONEscape.unit(bytes, at: index + 2), unit < 0xD800 || unit > 0xDFFF else {
                return false
            }
            index += 6
            return true
        case let byte:
            index += 2
            return JSONEscape.character(byte) != nil
        }
    }

    private mutating func skipBlanks() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    private mutating func append(_ kind: JSONNode.Kind, from start: Int, to end: Int) {
        nodes.append(
            JSONNode(kind: kind, start: UInt32(start), end: UInt32(end), next: UInt32(nodes.count + 1))
        )
    }
}

/// What follows a backslash (RFC 8259 §7).
enum JSONEscape {
    /// The character that one letter stands for.
    static func character(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The code unit of four hexadecimal digits.
    static func unit(_ bytes: [UInt8], at start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt16 = 0
        for index in start..<start + 4 {
            let digit: UInt8
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
