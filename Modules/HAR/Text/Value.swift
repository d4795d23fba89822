extension HAR {
    /// A JSON value (RFC 8259), for members outside the format.
    public enum Value: Sendable, Hashable {
        /// `null`
        case null
        /// `true` or `false`
        case bool(Bool)
        /// A number.
        case number(Double)
        /// A string.
        case string(String)
        /// An array.
        case array([Value])
        /// An object.
        case object([String: Value])

        /// The text; `nil` for other values.
        public var string: String? {
            if case .string(let text) = self { text } else { nil }
        }

        /// The number; `nil` for other values.
        public var number: Double? {
            if case .number(let number) = self { number } else { nil }
        }

        /// Returns the value of a member; `nil` for other values and missing members.
        public subscript(name: String) -> Value? {
            if case .object(let members) = self { members[name] } else { nil }
        }

        /// The kind of value, for messages.
        var kind: String {
            switch self {
            case .null: "null"
            case .bool: "a truth value"
            case .number(let number): "the number \(number)"
            case .string(let text): "the string “\(text.prefix(40))”"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }
}

extension HAR.Value: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// An array.
    public init(arrayLiteral elements: HAR.Value...) { self = .array(elements) }
    /// An object. Of members with the same name, the last one counts.
    public init(dictionaryLiteral elements: (String, HAR.Value)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
