public import FoundationEssentials

/// A JSON text as a value (RFC 8259): to write replies with mixed types, and to compare bodies by meaning.
///
/// ```swift
/// let reply = Reply.json(["id": 7, "name": "Ada", "tags": ["a", nil]])
/// ```
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number with a fraction, or outside the range of ``integer(_:)``.
    case number(Double)
    /// An integer of up to 64 bits, signed or unsigned. `1` and `1.0` are the same.
    case integer(Int128)
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

extension JSONValue: Hashable {
    /// Returns whether both mean the same. An integer equals a number of exactly its value.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
            Int128(exactly: number) == whole
        case (.string(let left), .string(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value; an integer as the number that may equal it.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(Double(value))
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
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
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(Int128(value))
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
    /// - Throws: The errors of `encoder`, such as `EncodingError` for a number that is not finite, and `EncodingError`
    ///   for an integer of more than 64 bits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let whole = Int64(exactly: value) { try container.encode(whole) } else { try container.encode(value) }
        case .integer(let value):
            if let signed = Int64(exactly: value) {
                try container.encode(signed)
            } else if let unsigned = UInt64(exactly: value) {
                try container.encode(unsigned)
            } else {
                let reason = "the integer \(value) has more than 64 bits"
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason)
                throw EncodingError.invalidValue(value, context)
            }
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
        case .integer(let value): "\(value)"
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
    public init(integerLiteral value: Int128) { self = .integer(value) }
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
