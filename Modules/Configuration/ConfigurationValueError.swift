internal import AirframeTransport
public import Foundation

/// A value that is none of its key's kind.
public struct ConfigurationValueError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The key.
    public let key: String
    /// The value as it was read.
    public let value: String
    /// What the key takes, in words.
    public let expected: String

    /// Key, value and what the key takes, in one line. Secrets in the value are hidden.
    public var description: String {
        "the configuration's \(key) is \(Redaction.invalidURL(value).debugDescription): \(expected) is expected"
    }

    /// The error in one line.
    public var errorDescription: String? { description }
}
