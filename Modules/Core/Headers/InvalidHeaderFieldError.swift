public import Foundation

/// A header field that is invalid in HTTP. A request with such a field fails before it is sent.
public struct InvalidHeaderFieldError: Error, Sendable, Hashable {
    /// The field's name as it was set.
    public let name: String
    /// The fault. It does not contain the value, which may be a secret.
    public let reason: String

    /// Creates the error of a field.
    public init(name: String, reason: String) {
        self.name = name
        self.reason = reason
    }
}

extension InvalidHeaderFieldError: CustomStringConvertible, LocalizedError {
    /// One sentence that names the field.
    public var description: String {
        "header field \(name.debugDescription) cannot be sent: \(reason)"
    }

    /// One sentence that names the field.
    public var errorDescription: String? { description }
}
