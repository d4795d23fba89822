public import FoundationEssentials

/// A JSON text as a value (RFC 8259): to write replies with mixed types, and to compare bodies by meaning.
///
/// ```swift
/// let reply = Reply.json(["id": 7, "name": "Ada", "tags": ["a", nil]])
/// ```
public enum JSONValue: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number. `1` and `1.0` are the same.
    case number(Double)
    /// A string
    case string(String)
    /// An array
    case array([JSONValue])
    /// An object
    case object([String: JSONValue])

    /// Parses a JSON text; `nil` if it is invalid.
    public init?(parsing data: Data) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else { return nil }
        self = value
    }

    /// Creates the value that `value` encodes itself as.
    ///
    /// - Throws: The error of encoding.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
        // In an array, so that a value which is a mere text or number can be encoded by any encoder.
        self = try JSONDecoder().decode([JSONValue].self, from: encoder.encode([value])).first ?? .null
    }

    /// The value of a member, if this is an object with it.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The element at `index`, if this is an array with it.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }
}

extension JSONValue: Codable {
    /// Decodes any JSON value.
    ///
    /// - Throws: `DecodingError` if the data is not JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value as itself.
    ///
    /// - Throws: The errors of `encoder`, such as `EncodingError` for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The JSON text with members sorted by their names.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .string(let value): value.debugDescription
        case .array(let value): "[\(value.map(\.description).joined(separator: ","))]"
        case .object(let value):
            "{\(value.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\($0.value)" }.joined(separator: ","))}"
        }
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number
    public init(integerLiteral value: Int64) { self = .number(Double(value)) }
    /// A number
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A string
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; the last one of members with the same name applies
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
