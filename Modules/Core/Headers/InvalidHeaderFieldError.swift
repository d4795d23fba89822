public import Foundation

/// A header field that HTTP does not allow to be sent. The request that has it fails before anything is sent.
public struct InvalidHeaderFieldError: Error, Sendable, Hashable {
    /// The field's name as it was given.
    public let name: String
    /// What is wrong, in words. It does not show the value, which may be a secret.
    public let reason: String

    /// Describes what is wrong with a field.
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
