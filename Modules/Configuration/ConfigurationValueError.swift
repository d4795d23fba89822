internal import AirframeTransport
public import Foundation

/// An error that reports a configuration value that its key does not accept.
public struct ConfigurationValueError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The key.
    public let key: SessionConfigurationKey
    /// The value as it was read, with passwords masked.
    public let value: String
    /// The values that the key accepts, in words.
    public let expected: String

    init(key: SessionConfigurationKey, value: String, expected: String) {
        self.key = key
        self.value = key == .proxyPassword ? Redaction.placeholder : Redaction.invalidURL(value)
        self.expected = expected
    }

    /// The key, its value with passwords masked, and the values that the key accepts, in one line.
    public var description: String {
        "configuration key \(key.rawValue) has the value \(value.debugDescription); expected \(expected)"
    }

    /// The error in one line.
    public var errorDescription: String? { description }
}
