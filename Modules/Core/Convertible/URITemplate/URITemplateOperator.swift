/// The operator of an expression (RFC 6570 §2.2): what begins its expansion, separates its values and names them
/// (the table of RFC 6570 appendix A).
enum URITemplateOperator: Character, Sendable, Hashable {
    case simple = "\0"
    case reserved = "+"
    case fragment = "#"
    case label = "."
    case path = "/"
    case pathParameter = ";"
    case query = "?"
    case queryContinuation = "&"

    /// The text before the first defined variable.
    var first: String {
        switch self {
        case .simple, .reserved: ""
        case .fragment, .label, .path, .pathParameter, .query, .queryContinuation: String(rawValue)
        }
    }

    /// The text between two variables, and between the parts of an exploded one.
    var separator: String {
        switch self {
        case .simple, .reserved, .fragment: ","
        case .label, .path, .pathParameter: String(rawValue)
        case .query, .queryContinuation: "&"
        }
    }

    private var isNamed: Bool {
        switch self {
        case .pathParameter, .query, .queryContinuation: true
        case .simple, .reserved, .fragment, .label, .path: false
        }
    }

    /// Whether reserved characters and percent-encoded triplets stay as they are.
    private var keepsReserved: Bool { self == .reserved || self == .fragment }

    /// The text between a name and an empty value.
    private var emptyMark: String { self == .pathParameter ? "" : "=" }

    /// Returns the expansion of a defined value (RFC 6570 §3.2.1), without what stands between variables.
    func expansion(of value: URITemplateValue, for variable: URITemplate.Variable) -> String {
        let isExploded = variable.modifier == .explode
        switch value {
        case .string(let text):
            var text = text
            if case .prefix(let count) = variable.modifier {
                text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
            }
            return isNamed ? named(variable.name, encoded(text)) : encoded(text)
        case .list(let items):
            guard isExploded else { return joined(items.map(encoded), variable.name) }
            return items.map { isNamed ? named(variable.name, encoded($0)) : encoded($0) }.joined(separator: separator)
        case .pairs(let pairs):
            guard isExploded else {
                return joined(pairs.flatMap { [encoded($0.key), encoded($0.value)] }, variable.name)
            }
            return pairs.map { pair in
                let key = encoded(pair.key)
                let value = encoded(pair.value)
                return isNamed ? named(key, value) : key + "=" + value
            }
            .joined(separator: separator)
        }
    }

    private func joined(_ values: [String], _ name: String) -> String {
        let text = values.joined(separator: ",")
        return isNamed ? named(name, text) : text
    }

    private func named(_ name: String, _ value: String) -> String {
        name + (value.isEmpty ? emptyMark : "=" + value)
    }

    private func encoded(_ text: String) -> String { text.percentEncoded(keepingReserved: keepsReserved) }
}

extension String {
    /// The text with all but unreserved characters percent-encoded as UTF-8 (RFC 6570 §3.2.1).
    ///
    /// - Parameter keepsReserved: Whether reserved characters and percent-encoded triplets stay (RFC 6570 §3.2.3).
    func percentEncoded(keepingReserved keepsReserved: Bool) -> String {
        var result: [UInt8] = []
        let bytes = Array(utf8)
        for (index, byte) in bytes.enumerated() {
            let isTriplet = byte == UInt8(ascii: "%") && bytes.startsTriplet(at: index)
            if byte.isUnreserved || (keepsReserved && (byte.isReserved || isTriplet)) {
                result.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Whether a percent sign at `index` is followed by two hexadecimal digits.
    func startsTriplet(at index: Int) -> Bool {
        guard count - index > 2 else { return false }
        return self[index + 1].isHexadecimal && self[index + 2].isHexadecimal
    }
}

extension UInt8 {
    /// RFC 3986 §2.3.
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// RFC 3986 §2.2.
    var isReserved: Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(self) }

    var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
