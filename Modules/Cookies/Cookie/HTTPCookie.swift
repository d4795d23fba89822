public import FoundationEssentials

/// A cookie: a name and a value that a server receives back, and the requests that carry them (RFC 6265bis §5.7).
///
/// A value type with Foundation's spelling. The cookie's value is a secret: descriptions omit it.
///
/// ```swift
/// let cookie = HTTPCookie(name: "session", value: "31d4d96e", domain: "api.test", isSecure: true)
/// ```
public struct HTTPCookie: Sendable {
    /// The name; empty for a nameless cookie.
    public let name: String
    /// The value.
    public let value: String
    /// The host that the cookie is for, in lower case, with or without its subdomains. An IPv6 address has no brackets.
    public let host: String
    /// Whether the cookie is for ``host`` without its subdomains.
    public let isHostOnly: Bool
    /// The path that the cookie is for, including all paths below it.
    public let path: String
    /// The expiry date; `nil` for a session cookie.
    public let expiresDate: Date?
    /// Whether the cookie is sent over TLS only.
    public let isSecure: Bool
    /// Whether the cookie is hidden from scripts.
    public let isHTTPOnly: Bool
    /// Whether cross-site requests get the cookie; `nil` if the server did not specify it, which counts as `Lax`.
    public let sameSitePolicy: HTTPCookieStringPolicy?
    /// The top-level site that a partitioned cookie belongs to.
    public let partitionKey: String?
    /// The date at which a cookie with this name, domain and path was first stored.
    public internal(set) var creationDate: Date
    /// The date at which the cookie was last stored or sent.
    public internal(set) var lastAccessDate: Date
    /// The position among cookies with the same creation date.
    var order: UInt64 = 0

    init(
        name: String,
        value: String,
        host: String,
        isHostOnly: Bool,
        path: String,
        expires: Date?,
        isSecure: Bool,
        isHTTPOnly: Bool,
        sameSite: HTTPCookieStringPolicy?,
        partitionKey: String?,
        created: Date,
        accessed: Date? = nil
    ) {
        self.name = name
        self.value = value
        self.host = host
        self.isHostOnly = isHostOnly
        self.path = path
        expiresDate = expires.map(Self.rounded)
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        sameSitePolicy = sameSite
        self.partitionKey = partitionKey
        creationDate = Self.rounded(created)
        lastAccessDate = Self.rounded(accessed ?? created)
    }

    /// Rounds `date` to microseconds, so that it survives being written as seconds since 1970 and read again.
    private static func rounded(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6)
    }

    /// Creates a cookie, or returns `nil` if HTTP could not carry it: control characters, a semicolon in the name or
    /// value, an empty domain or one that begins with two dots, a path that does not begin with a slash, neither name
    /// nor value, more than 4096 bytes.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: A host; with a leading dot, its subdomains too.
    ///   - path: The path.
    ///   - expires: The expiry date; `nil` for a session cookie.
    ///   - isSecure: Whether the cookie is sent over TLS only.
    ///   - isHTTPOnly: Whether the cookie is hidden from scripts.
    ///   - sameSite: Whether cross-site requests get the cookie.
    public init?(
        name: String,
        value: String,
        domain: String,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false,
        sameSite: HTTPCookieStringPolicy? = nil
    ) {
        let isHostOnly = domain.first != "."
        var host = isHostOnly ? domain[...] : domain.dropFirst()
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        self.init(
            name: name,
            value: value,
            host: host.lowercased(),
            isHostOnly: isHostOnly,
            path: path,
            expires: expires,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite,
            partitionKey: nil,
            created: Date()
        )
        guard isWellFormed else { return nil }
    }

    /// Whether a `Cookie` field can carry the cookie without being parsed as another cookie.
    var isWellFormed: Bool {
        // `=` in the name, or in the value of a nameless cookie, would be read as the end of another name.
        isStorable && !name.utf8.contains(UInt8(ascii: "="))
            && !(name.isEmpty && value.utf8.contains(UInt8(ascii: "=")))
    }

    /// Whether a server could have set the cookie, and ``domain`` restores the host.
    ///
    /// A path may contain a semicolon: the default path is that of the request (RFC 6265bis §5.1.4, RFC 3986 §3.3), and
    /// the path is never sent.
    var isStorable: Bool {
        guard ![name, value, path, host].contains(where: { SetCookieField.hasControls($0.utf8) }),
            ![name, value].contains(where: { $0.utf8.contains(UInt8(ascii: ";")) })
        else { return false }
        return !host.isEmpty && host.utf8.first != UInt8(ascii: ".") && path.utf8.first == UInt8(ascii: "/")
            && !(name.isEmpty && value.isEmpty) && name.utf8.count + value.utf8.count <= SetCookieField.sizeLimit
    }

    /// The host; with a leading dot if the cookie is for its subdomains too.
    public var domain: String { isHostOnly ? host : "." + host }

    /// Whether the cookie ends with the session.
    public var isSessionOnly: Bool { expiresDate == nil }

    /// Always 0, the version of Netscape's and RFC 6265's cookies.
    public var version: Int { 0 }

    /// Always `nil`: RFC 6265 removed the attribute `Comment`.
    public var comment: String? { nil }

    /// Always `nil`: RFC 6265 removed the attribute `CommentURL`.
    public var commentURL: URL? { nil }

    /// The name and value in the form of a `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func isExpired(at date: Date) -> Bool { expiresDate.map { $0 <= date } ?? false }

    /// The properties that identify a cookie in a jar (§5.7, step 22, and the partition).
    struct Key: Hashable, Sendable {
        let name: String
        let host: String
        let isHostOnly: Bool
        let path: String
        let partitionKey: String?
    }

    var key: Key { Key(name: name, host: host, isHostOnly: isHostOnly, path: path, partitionKey: partitionKey) }
}

extension HTTPCookie: Hashable {
    /// Whether all properties but the creation and access dates are equal.
    public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
        left.key == right.key && left.value == right.value && left.expiresDate == right.expiresDate
            && left.isSecure == right.isSecure && left.isHTTPOnly == right.isHTTPOnly
            && left.sameSitePolicy == right.sameSitePolicy
    }

    /// Hashes the properties that identify the cookie, and its value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(value)
    }
}

extension HTTPCookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, domain, path and attributes, without the value.
    public var description: String {
        let attributes = [
            isSecure ? "Secure" : nil, isHTTPOnly ? "HttpOnly" : nil,
            sameSitePolicy.map { "SameSite=\($0.rawValue)" }, isSessionOnly ? "session" : nil,
        ].compactMap(\.self)
        return "cookie \(name.debugDescription) for \(domain)\(path)"
            + (attributes.isEmpty ? "" : " (\(attributes.joined(separator: ", ")))")
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Name, domain and path, so that a dump does not show the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name, "domain": domain, "path": path]) }
}

/// The `SameSite` attribute of a cookie.
public struct HTTPCookieStringPolicy: RawRepresentable, Sendable, Hashable {
    /// `strict`, `lax` or `none`.
    public let rawValue: String

    /// Creates a policy.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only same-site requests.
    public static let sameSiteStrict = Self(rawValue: "strict")
    /// Same-site requests, and navigations from other sites.
    public static let sameSiteLax = Self(rawValue: "lax")
    /// All requests.
    public static let sameSiteNone = Self(rawValue: "none")
}

extension HTTPCookie {
    /// The cookies that a storage, a session or a request accepts.
    public enum AcceptPolicy: UInt, Sendable, Hashable {
        /// All cookies.
        case always = 0
        /// No cookies.
        case never = 1
        /// Cookies from the registrable domain of the request's `mainDocumentURL`, and all if the request has none.
        case onlyFromMainDocumentDomain = 2
    }
}
