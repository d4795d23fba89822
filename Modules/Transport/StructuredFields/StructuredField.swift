public import FoundationEssentials

/// A bare item of a structured field (RFC 9651 §3.3).
public enum StructuredBareItem: Sendable, Hashable {
    /// An integer of at most 15 digits.
    case integer(Int)
    /// A decimal with at most 3 fractional digits, in thousandths.
    case decimal(thousandths: Int)
    /// ASCII text in quotes.
    case string(String)
    /// A short identifier.
    case token(String)
    /// Bytes in Base64 between colons.
    case bytes(Data)
    /// `?1` or `?0`.
    case boolean(Bool)
    /// Seconds since 1970.
    case date(Int)
}

/// Parameters of an item or inner list, in order (RFC 9651 §3.1.2).
public struct StructuredParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// Keys with their values.
    public private(set) var pairs: [(key: String, value: StructuredBareItem)] = []

    /// No parameters.
    public init() {}

    /// Parameters in the order of the literal. A key that is repeated takes its last value.
    public init(dictionaryLiteral elements: (String, StructuredBareItem)...) {
        for (key, value) in elements { self[key] = value }
    }

    /// The value of `key`. A new key is added at the end; a known one keeps its place.
    public subscript(key: String) -> StructuredBareItem? {
        get { pairs.first { $0.key == key }?.value }
        set {
            let index = pairs.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): pairs[index].value = value
            case (nil, let value?): pairs.append((key, value))
            case (let index?, nil): pairs.remove(at: index)
            case (nil, nil): break
            }
        }
    }

    /// Whether both have the same pairs in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0.key == $1.key && $0.value == $1.value }
    }

    /// Hashes the pairs in order.
    public func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.key)
            hasher.combine(pair.value)
        }
    }
}

/// An item of a structured field with its parameters (RFC 9651 §3.3).
public struct StructuredItem: Sendable, Hashable {
    /// The value.
    public var value: StructuredBareItem
    /// The parameters.
    public var parameters: StructuredParameters

    /// Creates an item.
    public init(_ value: StructuredBareItem, _ parameters: StructuredParameters = [:]) {
        self.value = value
        self.parameters = parameters
    }
}

/// A member of a list or dictionary (RFC 9651 §3.1, §3.2).
public enum StructuredMember: Sendable, Hashable {
    /// One item.
    case item(StructuredItem)
    /// Several items in parentheses, with their own parameters (RFC 9651 §3.1.1).
    case innerList([StructuredItem], StructuredParameters)
}

/// Members by key, in order (RFC 9651 §3.2).
public struct StructuredDictionary: Sendable {
    /// Keys with their members.
    public private(set) var pairs: [(key: String, member: StructuredMember)] = []

    /// An empty dictionary.
    public init() {}

    /// The member of `key`. A new key is added at the end; a known one keeps its place.
    public subscript(key: String) -> StructuredMember? {
        get { pairs.first { $0.key == key }?.member }
        set {
            let index = pairs.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let member?): pairs[index].member = member
            case (nil, let member?): pairs.append((key, member))
            case (let index?, nil): pairs.remove(at: index)
            case (nil, nil): break
            }
        }
    }
}

/// The error of a string that is not a structured field.
public struct StructuredFieldError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The violated rule, with the RFC's section.
    public let reason: String
    /// The offset in bytes at which parsing failed.
    public let offset: Int

    package init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The reason and the offset.
    public var description: String { "not a structured field at byte \(offset): \(reason)" }
}
