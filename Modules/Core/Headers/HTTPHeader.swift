internal import AirframeTransport

/// A header field: a name and a value.
public struct HTTPHeader: Equatable, Hashable, Sendable {
    /// The name, in the case in which it was set.
    public let name: String
    /// The value.
    public let value: String

    /// Creates a field. Characters that are invalid in HTTP (RFC 9110 §5.5) are kept, and fail the request that sends
    /// them.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible {
    /// `name: value`; the value of a secret field is redacted.
    public var description: String { "\(name): \(Redaction.value(value, of: name))" }

    /// The same as ``description``, so that debugging output does not show secrets either.
    public var debugDescription: String { description }
}
