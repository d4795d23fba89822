internal import FoundationEssentials

/// Parses structured fields (RFC 9651 §4.2). Bytes are never skipped: any deviation fails the whole field.
package struct StructuredFieldParser {
    /// The maximum number of members of a dictionary, the least that RFC 9651 §3.2 requires. Each key is compared with
    /// all keys before it, so the limit bounds the work.
    private static let memberLimit = 1024
    /// The maximum number of items of an inner list, the least that RFC 9651 §3.1.1 requires. For each item of a
    /// `Signature-Input` a dictionary may have to be parsed.
    private static let innerListLimit = 256
    /// The maximum number of parameters of an item or inner list, the least that RFC 9651 §3.1.2 requires.
    private static let parameterLimit = 256

    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    // MARK: Whole fields

    package static func item(_ text: String) throws(StructuredFieldError) -> StructuredItem {
        var parser = StructuredFieldParser(text)
        parser.skipSpaces()
        let item = try parser.item()
        try parser.end()
        return item
    }

    package static func list(_ text: String) throws(StructuredFieldError) -> [StructuredMember] {
        var parser = StructuredFieldParser(text)
        var members: [StructuredMember] = []
        parser.skipSpaces()
        while !parser.isAtEnd {
            members.append(try parser.member())
            try parser.separator()
        }
        return members
    }

    package static func dictionary(_ text: String) throws(StructuredFieldError) -> StructuredDictionary {
        var parser = StructuredFieldParser(text)
        var dictionary = StructuredDictionary()
        var count = 0
        parser.skipSpaces()
        while !parser.isAtEnd {
            count += 1
            guard count <= memberLimit else {
                throw parser.error("a dictionary has at most \(memberLimit) members (RFC 9651 §3.2)")
            }
            let key = try parser.key()
            if parser.take("=") {
                dictionary[key] = try parser.member()
            } else {
                dictionary[key] = .item(StructuredItem(.boolean(true), try parser.parameters()))
            }
            try parser.separator()
        }
        return dictionary
    }

    // MARK: Parts

    private mutating func member() throws(StructuredFieldError) -> StructuredMember {
        guard take("(") else { return .item(try item()) }
        var items: [StructuredItem] = []
        while true {
            skipSpaces()
            if take(")") { return .innerList(items, try parameters()) }
            guard items.count < Self.innerListLimit else {
                throw error("an inner list has at most \(Self.innerListLimit) items (RFC 9651 §3.1.1)")
            }
            items.append(try item())
            guard next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else {
                throw error("items of an inner list are separated by spaces (RFC 9651 §4.2.1.2)")
            }
        }
    }

    private mutating func item() throws(StructuredFieldError) -> StructuredItem {
        StructuredItem(try bareItem(), try parameters())
    }

    private mutating func parameters() throws(StructuredFieldError) -> StructuredParameters {
        var parameters = StructuredParameters()
        var count = 0
        while take(";") {
            count += 1
            guard count <= Self.parameterLimit else {
                throw error("an item has at most \(Self.parameterLimit) parameters (RFC 9651 §3.1.2)")
            }
            skipSpaces()
            let key = try key()
            parameters[key] = take("=") ? try bareItem() : .boolean(true)
        }
        return parameters
    }

    private mutating func key() throws(StructuredFieldError) -> String {
        guard let first = next, first.isLowercase || first == UInt8(ascii: "*") else {
            throw error("a key begins with a lower-case letter or an asterisk (RFC 9651 §4.2.3.3)")
        }
        return text { $0.isLowercase || $0.isDigit || "_-.*".utf8.contains($0) }
    }

    private mutating func bareItem() throws(StructuredFieldError) -> StructuredBareItem {
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: ":"): return .bytes(try byteSequence())
        case UInt8(ascii: "?"): return .boolean(try boolean())
        case UInt8(ascii: "@"):
            position += 1
            guard case .integer(let seconds) = try number() else {
                throw error("a date is an integer (RFC 9651 §4.2.9)")
            }
            return .date(seconds)
        case let byte? where byte.isDigit || byte == UInt8(ascii: "-"): return try number()
        case let byte? where byte.isLetter || byte == UInt8(ascii: "*"):
            return .token(text { $0.isTokenCharacter || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") })
        default: throw error("an item begins with a digit, a letter or one of -\"*:?@ (RFC 9651 §4.2.3.1)")
        }
    }

    private mutating func number() throws(StructuredFieldError) -> StructuredBareItem {
        let sign = take("-") ? -1 : 1
        let whole = text(where: \.isDigit)
        guard !whole.isEmpty else { throw error("a number has digits (RFC 9651 §4.2.4)") }
        guard take(".") else {
            guard whole.count <= 15, let value = Int(whole) else {
                throw error("an integer has at most 15 digits (RFC 9651 §4.2.4)")
            }
            return .integer(sign * value)
        }
        let fraction = text(where: \.isDigit)
        guard whole.count <= 12, (1...3).contains(fraction.count),
            let value = Int(whole + fraction + String(repeating: "0", count: 3 - fraction.count))
        else { throw error("a decimal has at most 12 digits before its point and 1 to 3 after it (RFC 9651 §4.2.4)") }
        return .decimal(thousandths: sign * value)
    }

    private mutating func string() throws(StructuredFieldError) -> String {
        position += 1
        var result: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
                    throw error("only quotes and backslashes are escaped (RFC 9651 §4.2.5)")
                }
                position += 1
                result.append(escaped)
            case 0x20...0x7E: result.append(byte)
            default: throw error("a string is printable ASCII (RFC 9651 §4.2.5)")
            }
        }
        throw error("a string ends with a quote (RFC 9651 §4.2.5)")
    }

    private mutating func byteSequence() throws(StructuredFieldError) -> Data {
        position += 1
        let text = text { $0 != UInt8(ascii: ":") }
        guard take(":"), let data = Data(base64Encoded: text.padding) else {
            throw error("a byte sequence is Base64 between colons (RFC 9651 §4.2.7)")
        }
        return data
    }

    private mutating func boolean() throws(StructuredFieldError) -> Bool {
        position += 1
        if take("1") { return true }
        if take("0") { return false }
        throw error("a Boolean is ?0 or ?1 (RFC 9651 §4.2.8)")
    }

    // MARK: Bytes

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
    private var isAtEnd: Bool { position == bytes.count }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func text(where isPart: (UInt8) -> Bool) -> String {
        let part = bytes[position...].prefix(while: isPart)
        position = part.endIndex
        return String(decoding: part, as: UTF8.self)
    }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") { position += 1 }
    }

    private mutating func skipBlanks() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    /// The comma between two members, or the end.
    private mutating func separator() throws(StructuredFieldError) {
        skipBlanks()
        guard !isAtEnd else { return }
        guard take(",") else { throw error("members are separated by commas (RFC 9651 §4.2.1)") }
        skipBlanks()
        if isAtEnd { throw error("no member follows a comma (RFC 9651 §4.2.1)") }
    }

    private mutating func end() throws(StructuredFieldError) {
        skipSpaces()
        if !isAtEnd { throw error("nothing follows an item (RFC 9651 §4.2)") }
    }

    private func error(_ reason: String) -> StructuredFieldError {
        StructuredFieldError(reason: reason, offset: position)
    }
}

extension String {
    /// Base64 with the padding that senders may leave out (RFC 9651 §4.2.7).
    fileprivate var padding: String {
        self + String(repeating: "=", count: (4 - utf8.count % 4) % 4)
    }
}

extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    package var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    package var isLetter: Bool { isLowercase || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    /// RFC 9110 §5.6.2.
    package var isTokenCharacter: Bool { isLetter || isDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
