/// The value of a variable of a URI template (RFC 6570 §2.3).
public enum URITemplateValue: Sendable, Hashable {
    /// A string.
    case string(String)
    /// A list of strings. An empty list counts as undefined.
    case list([String])
    /// A list of keys with their strings. An empty list counts as undefined.
    case pairs([Pair])

    /// A key with its string.
    public struct Pair: Sendable, Hashable {
        /// The key.
        public let key: String
        /// The string.
        public let value: String

        /// Pairs `key` with `value`.
        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Creates a value of a description, for example of a number.
    public init(_ value: some CustomStringConvertible) { self = .string(value.description) }

    var isUndefined: Bool {
        switch self {
        case .string: false
        case .list(let items): items.isEmpty
        case .pairs(let pairs): pairs.isEmpty
        }
    }

    var isComposite: Bool {
        if case .string = self { false } else { true }
    }
}

extension URITemplateValue: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension URITemplateValue: ExpressibleByIntegerLiteral {
    /// A number.
    public init(integerLiteral value: Int) { self = .string(value.description) }
}

extension URITemplateValue: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self = .string(value.description) }
}

extension URITemplateValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .string(value.description) }
}

extension URITemplateValue: ExpressibleByArrayLiteral {
    /// A list of strings.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplateValue: ExpressibleByDictionaryLiteral {
    /// A list of keys with their strings.
    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map { Pair($0.0, $0.1) })
    }
}
