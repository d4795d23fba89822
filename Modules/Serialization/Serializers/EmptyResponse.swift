/// A type with a value for responses without content.
public protocol EmptyResponse: Sendable {
    /// The value.
    static func emptyValue() -> Self
}

/// The value of a response without content.
public struct Empty: Codable, Sendable, Hashable {
    /// The one value.
    public static let value = Empty()
}

extension Empty: EmptyResponse {
    /// The one value.
    public static func emptyValue() -> Empty { value }
}
