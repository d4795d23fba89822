/// The parameters of a header field's value, such as the `boundary` of a `Content-Type` (RFC 9110 §5.6.6).
///
/// The parser is lenient: the parameters decide what is hidden, and a peer may understand a malformed field.
struct HeaderParameters {
    private let values: [(name: String, value: String)]

    init(_ value: String) {
        var values: [(name: String, value: String)] = []
        var rest = Substring(value).utf8
        rest = rest.drop { $0 != UInt8(ascii: ";") }
        while rest.popFirst() != nil {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let text = rest.first == UInt8(ascii: "\"") ? Self.quoted(&rest) : Self.bare(&rest)
            values.append((String(decoding: name.filter { $0 > 0x20 }, as: UTF8.self).lowercased(), text))
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        }
        self.values = values
    }

    subscript(name: String) -> String? { values.first { $0.name == name }?.value }

    private static func quoted(_ rest: inout Substring.UTF8View) -> String {
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func bare(_ rest: inout Substring.UTF8View) -> String {
        let bytes = rest.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }
        rest = rest[bytes.endIndex...]
        return String(decoding: bytes, as: UTF8.self)
    }
}
