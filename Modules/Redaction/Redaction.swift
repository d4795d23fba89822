public import HTTPTypes

/// Hides secrets in logs, descriptions and exports, by ``RedactionPolicy/standard``.
public enum Redaction {
    /// The text that replaces a secret.
    public static let placeholder = RedactionPolicy.placeholder

    /// The header fields whose values are secrets.
    public static var secretFields: Set<HTTPField.Name> { RedactionPolicy.standard.fields }

    /// Returns the value of a field without its secrets. The scheme of a credential (`Bearer`) stays.
    ///
    /// - Parameters:
    ///   - value: The field's value.
    ///   - name: The field's name, in any case.
    public static func value(_ value: String, of name: String) -> String {
        RedactionPolicy.standard.value(value, of: name)
    }

    /// Returns `url` with its password and the values of its secret parameters hidden:
    /// `https://user:•••@host/path?token=•••`.
    ///
    /// `url` need not be a valid URL; see ``RedactionPolicy/url(_:)``.
    public static func url(_ url: String) -> String { RedactionPolicy.standard.url(url) }

    /// Returns an invalid URL without its secrets, for an error message: `http://•••@host/path?•••`.
    ///
    /// The boundaries of its parts are uncertain, so everything before an `@` and everything after the first `?`, `#`
    /// or `;` is hidden.
    public static func invalidURL(_ text: String) -> String {
        var head = text[...]
        var prefix = ""
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            let slashes = text.utf8[..<at].firstRange(of: "://".utf8)
            prefix = slashes.map { String(text[..<$0.upperBound]) } ?? ""
            // A scheme has no `?`: the text is a query that contains a URL.
            if prefix.utf8.contains(where: endsPath) { prefix = "" }
            prefix += placeholder
            head = text[at...]
        }
        guard let end = head.utf8.firstIndex(where: endsPath) else { return prefix + head }
        let mark = head[end...].utf8.prefix(1)
        let hasMore = head.utf8.index(after: end) < head.endIndex
        return prefix + head[..<end] + String(decoding: mark, as: UTF8.self) + (hasMore ? placeholder : "")
    }

    private static func endsPath(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }
}
