/// A parser of JSON (RFC 8259) into nodes.
///
/// The parser returns `nil` for anything that is not plain, valid JSON. Foundation's decoder reports the reason.
///
/// The functions pass the text and the nodes along instead of storing them, because spans cannot outlive the call that
/// made them. With spans, nothing is retained, copied or checked for uniqueness.
///
/// Zeros follow the text (``padding``). A zero belongs to no token, so the functions compare bytes without checking for
/// the end of the text first, and read whole words.
struct JSONScanner {
    typealias Nodes = OutputSpan<JSONNode>

    /// The number of zeros that follow the text.
    static let padding = 8

    /// The maximum depth of Foundation's decoder.
    private static let maximumDepth = 512
    private static let noContainer = UInt32.max
    /// Up to this length, in bytes, memory is reserved by the length of the text and not by its content: at most 64
    /// KiB.
    private static let countThreshold = 4096

    private var index = 0
    /// The innermost open container. While it is open, its node's `next` is the index of the container around it.
    private var container = noContainer
    /// Whether ``container`` is an object, and the number of its members so far.
    private var isObject = false
    private var members: UInt32 = 0
    private var depth = 0

    private init() {}

    /// Returns the nodes of a document; `nil` if it is not plain, valid JSON.
    ///
    /// - Parameter text: The document, and ``padding``.
    static func nodes(of text: [UInt8]) -> [JSONNode]? {
        let count = text.count - padding
        guard count < UInt32.max / 2 else { return nil }
        var isValid = false
        // A node takes at least one byte of text, even in a document whose brackets are never closed. For short
        // documents this bound replaces the count, which took a twentieth of the time of a small one.
        let capacity = count <= countThreshold ? count : mostNodes(in: text.span)
        let nodes = [JSONNode](capacity: capacity) { nodes in
            var scanner = JSONScanner()
            isValid = scanner.scan(text.span, into: &nodes)
        }
        return isValid ? nodes : nil
    }

    /// Returns an upper bound of a document's nodes: every key, and every value but the outermost, follows one of these
    /// marks (marks within strings only raise the bound). Counts 16 bytes at a time.
    private static func mostNodes(in text: Span<UInt8>) -> Int {
        typealias Bytes = SIMD16<UInt8>
        /// Sets the highest bit of each byte that is `mark`. Swift 6.3 compiles comparisons of vectors into a loop.
        func matches(_ bytes: Bytes, _ mark: UInt8) -> Bytes {
            let difference = bytes ^ Bytes(repeating: mark)
            return (difference &- Bytes(repeating: 1)) & ~difference
        }
        var count = 1
        var index = 0
        while text.count - index >= Bytes.scalarCount {
            // Each lane counts its own marks, at most 255.
            var marks = Bytes()
            let end = min(text.count - Bytes.scalarCount, index + 254 * Bytes.scalarCount)
            while index <= end {
                let bytes = text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: Bytes.self)
                // With this bit set, `[` becomes `{`.
                let opening = matches(bytes | Bytes(repeating: 0x20), UInt8(ascii: "{"))
                let following = matches(bytes, UInt8(ascii: ",")) | matches(bytes, UInt8(ascii: ":"))
                marks &+= (opening | following) &>> Bytes(repeating: 7)
                index += Bytes.scalarCount
            }
            count += Int(SIMD16<UInt16>(truncatingIfNeeded: marks).wrappedSum())
        }
        // Each of the remaining bytes may be a mark.
        return count + text.count - index
    }

    private mutating func scan(_ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        skipBlanks(text)
        guard scanValue(text, into: &nodes) else { return false }
        while container != Self.noContainer {
            guard scanMember(text, into: &nodes) else { return false }
        }
        skipBlanks(text)
        return index == text.count - Self.padding
    }

    // MARK: Containers

    /// Parses the next member of the open container, or its end.
    @inline(__always)
    private mutating func scanMember(_ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        skipBlanks(text)
        if text[index] == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            end(into: &nodes)
            return true
        }
        if members > 0 {
            guard text[index] == UInt8(ascii: ",") else { return false }
            index += 1
            skipBlanks(text)
        }
        if isObject {
            guard text[index] == UInt8(ascii: "\""), scanString(text, into: &nodes) else { return false }
            skipBlanks(text)
            guard text[index] == UInt8(ascii: ":") else { return false }
            index += 1
            skipBlanks(text)
        }
        members += 1
        return scanValue(text, into: &nodes)
    }

    private mutating func scanValue(_ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        switch text[index] {
        case UInt8(ascii: "\""): return scanString(text, into: &nodes)
        case UInt8(ascii: "{"): return begin(.object, into: &nodes)
        case UInt8(ascii: "["): return begin(.array, into: &nodes)
        case UInt8(ascii: "t"): return scan("rue", .true, text, into: &nodes)
        case UInt8(ascii: "f"): return scan("alse", .false, text, into: &nodes)
        case UInt8(ascii: "n"): return scan("ull", .null, text, into: &nodes)
        default: return scanNumber(text, into: &nodes)
        }
    }

    private mutating func begin(_ kind: JSONNode.Kind, into nodes: inout Nodes) -> Bool {
        depth += 1
        guard depth < Self.maximumDepth else { return false }
        let outer = container
        if outer != Self.noContainer { nodes[Int(outer)].end = members }
        container = UInt32(truncatingIfNeeded: nodes.count)
        isObject = kind == .object
        members = 0
        nodes.append(JSONNode(kind: kind, start: UInt32(truncatingIfNeeded: index), end: 0, next: outer))
        index += 1
        return true
    }

    /// Closes the container, and returns to the one around it.
    private mutating func end(into nodes: inout Nodes) {
        let closed = Int(container)
        index += 1
        depth -= 1
        container = nodes[closed].next
        nodes[closed].end = members
        nodes[closed].next = UInt32(truncatingIfNeeded: nodes.count)
        guard container != Self.noContainer else { return }
        isObject = nodes[Int(container)].kind == .object
        members = nodes[Int(container)].end
    }

    // MARK: Words and numbers

    /// Parses a word whose first letter was seen.
    private mutating func scan(
        _ rest: StaticString,
        _ kind: JSONNode.Kind,
        _ text: Span<UInt8>,
        into nodes: inout Nodes
    ) -> Bool {
        let start = index
        index += 1
        let isEqual = rest.withUTF8Buffer { letters in
            for letter in letters {
                guard text[index] == letter else { return false }
                index += 1
            }
            return true
        }
        guard isEqual else { return false }
        append(kind, from: start, to: index, &nodes)
        return true
    }

    private mutating func scanNumber(_ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        let start = index
        var kind = JSONNode.Kind.integer
        if text[index] == UInt8(ascii: "-") { index += 1 }
        let integer = skipDigits(text)
        guard integer > 0, integer == 1 || text[index - integer] != UInt8(ascii: "0") else { return false }
        if text[index] == UInt8(ascii: ".") {
            kind = .number
            index += 1
            guard skipDigits(text) > 0 else { return false }
        }
        if text[index] | 0x20 == UInt8(ascii: "e") {
            kind = .number
            index += 1
            if text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            guard skipDigits(text) > 0 else { return false }
        }
        append(kind, from: start, to: index, &nodes)
        return true
    }

    @inline(__always)
    private mutating func skipDigits(_ text: Span<UInt8>) -> Int {
        let start = index
        while text[index] &- UInt8(ascii: "0") < 10 { index += 1 }
        return index - start
    }

    // MARK: Texts

    @inline(__always)
    private mutating func scanString(_ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        index += 1
        let start = index
        skipPlainText(text)
        guard text[index] == UInt8(ascii: "\"") else { return scanRest(of: start, text, into: &nodes) }
        append(.plainString, from: start, to: index, &nodes)
        index += 1
        return true
    }

    /// Parses the rest of a string that is not plain, or not ended.
    @inline(never)
    private mutating func scanRest(of start: Int, _ text: Span<UInt8>, into nodes: inout Nodes) -> Bool {
        var kind = JSONNode.Kind.plainString
        var isASCII = true
        while true {
            switch text[index] {
            case UInt8(ascii: "\""):
                if !isASCII {
                    guard (try? UTF8Span(validating: text.extracting(start..<index))) != nil else { return false }
                    if kind == .plainString { kind = .unicodeString }
                }
                append(kind, from: start, to: index, &nodes)
                index += 1
                return true
            case UInt8(ascii: "\\"):
                kind = .escapedString
                guard skipEscape(text) else { return false }
            case 0x80...:
                isASCII = false
                index += 1
            default:
                return false
            }
            skipPlainText(text)
        }
    }

    /// Advances to the next byte that is a quotation mark, a backslash, a control character or not ASCII, eight bytes
    /// at a time. The padding is such a byte.
    @inline(__always)
    private mutating func skipPlainText(_ text: Span<UInt8>) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        while true {
            let word = UInt64(littleEndian: text.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let quotation = word ^ (ones &* 0x22)
            let backslash = word ^ (ones &* 0x5C)
            // Subtracting 1 (or 0x20) sets a byte's high bit on underflow. A borrow can set it in higher bytes too, so
            // only the lowest counts.
            let found =
                ((quotation &- ones) & ~quotation) | ((backslash &- ones) & ~backslash)
                | ((word &- (ones &* 0x20)) & ~word) | word
            let marks = found & highs
            if marks != 0 {
                index += marks.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
    }

    private mutating func skipEscape(_ text: Span<UInt8>) -> Bool {
        switch text[index + 1] {
        case UInt8(ascii: "u"):
            // Surrogates are rare, and lone ones are errors in some places, so they are left to Foundation.
            guard let unit = JSONEscape.unit(text, at: index + 2), unit < 0xD800 || unit > 0xDFFF else {
                return false
            }
            index += 6
            return true
        case let byte:
            index += 2
            return JSONEscape.character(byte) != nil
        }
    }

    @inline(__always)
    private mutating func skipBlanks(_ text: Span<UInt8>) {
        // Bits 9, 10, 13 and 32: tab, line feed, carriage return, space.
        let blanks: UInt64 = 0x1_0000_2600
        while text[index] <= 0x20, blanks &>> UInt64(text[index]) & 1 == 1 { index += 1 }
    }

    @inline(__always)
    private func append(_ kind: JSONNode.Kind, from start: Int, to end: Int, _ nodes: inout Nodes) {
        nodes.append(
            JSONNode(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count + 1)
            )
        )
    }
}
