internal import AirframeTransport

/// One header field: a name and its value.
public struct HTTPHeader: Equatable, Hashable, Sendable {
    /// The name, in the case that it was given.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a field. What HTTP forbids in names and values (RFC 9110 §5.5) is kept here and refused when it is sent.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPHeader: CustomStringConvertible, CustomDebugStringConvertible {
    /// `name: value`; the value of a secret field is hidden.
    public var description: String { "\(name): \(Redaction.value(value, of: name))" }

    /// The same as ``description``, so that a debugger's log leaks nothing either.
    public var debugDescription: String { description }
}
