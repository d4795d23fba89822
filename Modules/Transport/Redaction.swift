public import HTTPTypes

/// Hides what must not reach logs, descriptions and exports, by ``RedactionPolicy/standard``.
public enum Redaction {
    /// What stands in the place of a secret.
    public static let placeholder = RedactionPolicy.placeholder

    /// The header fields whose values are secrets.
    public static var secretFields: Set<HTTPField.Name> { RedactionPolicy.standard.fields }

    /// The value of a field, without its secrets. The scheme of a credential (`Bearer`) stays.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, in any case.
    public static func value(_ value: String, of name: String) -> String {
        RedactionPolicy.standard.value(value, of: name)
    }

    /// `url` with its password and the values of its secret parameters hidden: `https://user:•••@host/path?token=•••`.
    ///
    /// It need not be a valid URL; see ``RedactionPolicy/url(_:)``.
    public static func url(_ url: String) -> String { RedactionPolicy.standard.url(url) }
}
