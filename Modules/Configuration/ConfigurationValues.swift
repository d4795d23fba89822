public import Foundation

/// Values by their keys: words in lower case, joined by dots, such as `timeout.request`.
public struct ConfigurationValues: Sendable {
    private let lookUp: @Sendable (String) -> String?

    /// Reads values with a closure.
    ///
    /// - Parameter lookUp: Returns the text of the value under a key; `nil` where there is none.
    public init(_ lookUp: @escaping @Sendable (_ key: String) -> String?) { self.lookUp = lookUp }

    /// Values of a dictionary.
    public init(_ values: [String: String]) { self.init { values[$0] } }

    /// The environment's variables: `timeout.request` is `PREFIX_TIMEOUT_REQUEST`.
    ///
    /// - Parameters:
    ///   - prefix: What the names begin with, without the underscore.
    ///   - environment: The variables; those of the process by default.
    public static func environment(
        prefix: String,
        in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ConfigurationValues {
        ConfigurationValues { key in
            environment["\(prefix)_\(key)".uppercased().replacingOccurrences(of: ".", with: "_")]
        }
    }

    /// Values of these, and those of `fallback` under keys that these have none for.
    public func merging(fallback: ConfigurationValues) -> ConfigurationValues {
        ConfigurationValues { lookUp($0) ?? fallback.lookUp($0) }
    }

    /// The value under `key`, without blanks around it; `nil` where there is none, or an empty one.
    public subscript(key: String) -> String? {
        guard let text = lookUp(key)?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        return text
    }
}
