/// The value of a variable of a URI template (RFC 6570 §2.3).
public enum URITemplateValue: Sendable, Hashable {
    /// One text.
    case string(String)
    /// Several texts, in order. An empty list counts as undefined.
    case list([String])
    /// Keys with their texts, in order. No keys count as undefined.
    case pairs([Pair])

    /// A key with its text.
    public struct Pair: Sendable, Hashable {
        /// The key.
        public let key: String
        /// The text.
        public let value: String

        /// Pairs `key` with `value`.
        public init(_ key: String, _ value: String) {
            self.key = key
            self.value = value
        }
    }

    /// Makes a value from what describes itself, such as a number.
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
    /// One text.
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
    /// Several texts.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension URITemplateValue: ExpressibleByDictionaryLiteral {
    /// Keys with their texts.
    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map { Pair($0.0, $0.1) })
    }
}
