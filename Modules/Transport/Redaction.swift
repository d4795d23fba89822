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
        // A name with a blank beside it cannot be sent, but can be logged.
        let trimmed = name.split(whereSeparator: \.isWhitespace).joined()
        guard let fieldName = HTTPField.Name(trimmed), secretFields.contains(fieldName) else { return value }
        guard fieldName == .authorization || fieldName == .proxyAuthorization,
            let space = value.firstIndex(of: " "),
            value[..<space].utf8.allSatisfy(isSchemeByte)
        else { return placeholder }
        return "\(value[..<space]) \(placeholder)"
    }

    /// `url` with the password in its user information hidden: `https://user:•••@host/path`.
    ///
    /// It need not be a valid URL: the scheme may be missing, and a password with a `/`, `?` or `#` that should have
    /// been escaped is hidden all the same.
    public static func url(_ url: String) -> String {
        guard let secret = password(in: url) else { return url }
        return url[..<secret.lowerBound] + placeholder + url[secret.upperBound...]
    }

    private static func password(in url: String) -> Range<String.Index>? {
        let bytes = url.utf8
        let slashes = slashes(in: url)
        let start = slashes?.upperBound ?? url.startIndex
        let end = bytes[start...].firstIndex(where: "/?#".utf8.contains) ?? url.endIndex
        guard let colon = bytes[start..<end].firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let secret = bytes.index(after: colon)
        if let at = bytes[secret..<end].lastIndex(of: UInt8(ascii: "@")) { return secret..<at }
        // After a host's colon there is a port. What is none is the beginning of a password that was not escaped.
        let isPort = secret < end && bytes[secret..<end].allSatisfy { (0x30...0x39).contains($0) }
        guard slashes != nil, !isPort, bytes[start] != UInt8(ascii: "["),
            let at = bytes[end...].lastIndex(of: UInt8(ascii: "@"))
        else { return nil }
        return secret..<at
    }

    /// The slashes before the authority, if there are any.
    private static func slashes(in url: String) -> Range<String.Index>? {
        if url.hasPrefix("//") { return url.startIndex..<url.index(url.startIndex, offsetBy: 2) }
        return url.firstRange(of: "://")
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
