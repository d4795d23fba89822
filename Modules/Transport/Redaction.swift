public import HTTPTypes

/// Hides what must not reach logs, descriptions and exports.
public enum Redaction {
    /// What stands in the place of a secret.
    public static let placeholder = "•••"

    /// The header fields whose values are secrets.
    public static let secretFields: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]

    /// The value of a field, or the placeholder where it is a secret. The scheme of a credential (`Bearer`) stays.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, in any case.
    public static func value(_ value: String, of name: String) -> String {
        guard let fieldName = HTTPField.Name(name), secretFields.contains(fieldName) else { return value }
        guard fieldName == .authorization || fieldName == .proxyAuthorization,
            let space = value.firstIndex(of: " ")
        else { return placeholder }
        return "\(value[..<space]) \(placeholder)"
    }

    /// `url` with the password in its user information hidden: `https://user:•••@host/path`.
    public static func url(_ url: String) -> String {
        guard let scheme = url.range(of: "://") else { return url }
        let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        guard let at = url[scheme.upperBound..<end].lastIndex(of: "@"),
            let colon = url[scheme.upperBound..<at].firstIndex(of: ":")
        else { return url }
        return url.replacingCharacters(in: url.index(after: colon)..<at, with: placeholder)
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? {
        ranges(of: text).first
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
