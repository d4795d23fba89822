internal import AirframeTransport

/// The operator of an expression (RFC 6570 §2.2): the prefix of its expansion, the separator and the names of values
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

    /// Whether reserved characters and percent-encoded triplets are kept.
    private var keepsReserved: Bool { self == .reserved || self == .fragment }

    /// The text between a name and an empty value.
    private var emptyMark: String { self == .pathParameter ? "" : "=" }

    /// Returns the expansion of a defined value (RFC 6570 §3.2.1), without the separators between variables.
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

    private func encoded(_ text: String) -> String {
        let encoding = keepsReserved ? PercentEncoding.reserved : .unreserved
        return encoding.encode(bytes: text.utf8, keepsTriplets: keepsReserved)
    }
}
