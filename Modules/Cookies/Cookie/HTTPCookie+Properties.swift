internal import FoundationEssentials

/// The name of a property of a cookie, for ``HTTPCookie/init(properties:)``.
public struct HTTPCookiePropertyKey: RawRepresentable, Sendable, Hashable {
    /// The name.
    public let rawValue: String

    /// Creates a key.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The name, a `String`.
    public static let name = Self("Name")
    /// The value, a `String`.
    public static let value = Self("Value")
    /// A host; with a leading dot, its subdomains too.
    public static let domain = Self("Domain")
    /// The URL that set the cookie, a `URL` or a `String`. Its host replaces a missing domain.
    public static let originURL = Self("OriginURL")
    /// The path, a `String`.
    public static let path = Self("Path")
    /// The expiry date, a `Date` or an HTTP date as a `String`.
    public static let expires = Self("Expires")
    /// The number of seconds until the cookie expires, a number or a `String`.
    public static let maximumAge = Self("Max-Age")
    /// Whether the cookie ends with the session: `"TRUE"` or `"FALSE"`.
    public static let discard = Self("Discard")
    /// Whether the cookie is sent over TLS only: anything but `"FALSE"` and `false`.
    public static let secure = Self("Secure")
    /// Whether the cookie is hidden from scripts: anything but `"FALSE"` and `false`.
    public static let httpOnly = Self("HttpOnly")
    /// An ``HTTPCookieStringPolicy``, or its name as a `String`.
    public static let sameSitePolicy = Self("SameSite")
    /// The version, which is always 0.
    public static let version = Self("Version")
    /// A comment. Ignored, because RFC 6265 has none.
    public static let comment = Self("Comment")
    /// The URL of a comment. Ignored, because RFC 6265 has none.
    public static let commentURL = Self("CommentURL")
    /// The ports that the cookie is for. Ignored, because RFC 6265 has none.
    public static let port = Self("Port")
}

extension HTTPCookie {
    /// Creates a cookie from its properties, or returns `nil` if the name, the value, the path, or both domain and
    /// origin are missing, or HTTP could not carry the cookie.
    public init?(properties: [HTTPCookiePropertyKey: Any]) {
        guard let name = properties[.name] as? String, let value = properties[.value] as? String,
            let path = properties[.path] as? String
        else { return nil }
        let origin = (properties[.originURL] as? URL) ?? (properties[.originURL] as? String).flatMap(URL.init(string:))
        guard let domain = (properties[.domain] as? String) ?? origin?.host(percentEncoded: false) else { return nil }
        self.init(
            name: name,
            value: value,
            domain: domain,
            path: path,
            expires: Self.expiry(in: properties),
            isSecure: Self.isSet(properties[.secure]),
            isHTTPOnly: Self.isSet(properties[.httpOnly]),
            sameSite: properties[.sameSitePolicy].flatMap(Self.policy)
        )
    }

    /// The properties from which ``init(properties:)`` makes an equal cookie.
    public var properties: [HTTPCookiePropertyKey: Any]? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: domain, .path: path, .version: "0",
            .discard: isSessionOnly ? "TRUE" : "FALSE",
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[.httpOnly] = "TRUE" }
        if let expiresDate { properties[.expires] = expiresDate }
        if let sameSitePolicy { properties[.sameSitePolicy] = sameSitePolicy.rawValue }
        return properties
    }

    private static func isSet(_ property: Any?) -> Bool {
        switch property {
        case nil: false
        case let flag as Bool: flag
        case let text as String: text.uppercased() != "FALSE"
        default: true
        }
    }

    private static func policy(_ property: Any) -> HTTPCookieStringPolicy? {
        if let policy = property as? HTTPCookieStringPolicy { return policy }
        return (property as? String).map { HTTPCookieStringPolicy(rawValue: $0.lowercased()) }
    }

    private static func expiry(in properties: [HTTPCookiePropertyKey: Any]) -> Date? {
        if properties[.discard].map(isSet) == true { return nil }
        if let age = properties[.maximumAge] {
            let seconds = (age as? Double) ?? (age as? Int).map(Double.init) ?? (age as? String).flatMap(Double.init)
            if let seconds { return Date().addingTimeInterval(seconds) }
        }
        return (properties[.expires] as? Date) ?? (properties[.expires] as? String).flatMap { CookieDate.parse($0) }
    }
}
