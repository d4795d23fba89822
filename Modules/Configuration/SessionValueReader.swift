internal import Configuration
internal import Foundation

/// Reads values of one snapshot and throws for those that their key does not accept.
///
/// swift-configuration returns `nil` both for a missing value and for one of another type. The reader tells them apart:
/// a value that is missing under its own type is looked up as text and as every other type before it counts as missing.
struct SessionValueReader {
    let snapshot: ConfigSnapshotReader

    /// Returns a positive number of seconds.
    func seconds(_ key: SessionConfigurationKey) throws(ConfigurationValueError) -> TimeInterval? {
        let number = snapshot.double(forKey: key.configKey, isSecret: key.isSecret)
        return try value(key, number, "a positive number of seconds") { text in
            TimeInterval(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
    }

    /// Returns a positive whole number.
    func count(_ key: SessionConfigurationKey) throws(ConfigurationValueError) -> Int? {
        let number = snapshot.int(forKey: key.configKey, isSecret: key.isSecret)
        return try value(key, number, "a positive whole number") { text in Int(text).flatMap { $0 > 0 ? $0 : nil } }
    }

    /// Returns a truth value. Text may also be `yes`, `on`, `1`, `no`, `off` or `0`.
    func flag(_ key: SessionConfigurationKey) throws(ConfigurationValueError) -> Bool? {
        let flag = snapshot.bool(forKey: key.configKey, isSecret: key.isSecret)
        return try value(key, flag, "`true` or `false`") { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }

    /// Returns the value that `parse` reads from a string.
    func parsed<Value>(
        _ key: SessionConfigurationKey,
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(ConfigurationValueError) -> Value? {
        try value(key, String?.none, expected, parse)
    }

    /// Returns a string without whitespace around it; `nil` for an empty one.
    func text(_ key: SessionConfigurationKey) throws(ConfigurationValueError) -> String? {
        let (name, isSecret) = (key.configKey, key.isSecret)
        if let text = snapshot.string(forKey: name, isSecret: isSecret) {
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return trimmed.isEmpty ? nil : trimmed
        }
        if let number = snapshot.int(forKey: name, isSecret: isSecret) { return "\(number)" }
        if let number = snapshot.double(forKey: name, isSecret: isSecret) { return "\(number)" }
        if let flag = snapshot.bool(forKey: name, isSecret: isSecret) { return "\(flag)" }
        if let list = snapshot.stringArray(forKey: name, isSecret: isSecret) {
            throw ConfigurationValueError(key: key, value: list.joined(separator: ","), expected: "a single value")
        }
        return nil
    }

    /// Returns `parse` of the typed value's description, or of the text where the provider has no value of the type.
    private func value<Typed: CustomStringConvertible, Value>(
        _ key: SessionConfigurationKey,
        _ typed: Typed?,
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(ConfigurationValueError) -> Value? {
        let written = if let typed { typed.description } else { try text(key) }
        guard let text = written else { return nil }
        guard let value = parse(text) else { throw ConfigurationValueError(key: key, value: text, expected: expected) }
        return value
    }
}
