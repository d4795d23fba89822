public import FoundationEssentials

/// A cookie: a name and a value that a server asked to get back, and where they go (RFC 6265bis §5.7).
///
/// Foundation's spelling, as a value of our own. The value is a secret: descriptions leave it out.
///
/// ```swift
/// let cookie = HTTPCookie(name: "session", value: "31d4d96e", domain: "api.test", isSecure: true)
/// ```
public struct HTTPCookie: Sendable {
    /// The name; empty for a nameless cookie.
    public let name: String
    /// The value.
    public let value: String
    /// The host that the cookie is for, in lower case: by itself, or with all names beneath it. An IPv6 address has no
    /// brackets.
    public let host: String
    /// Whether the cookie is for ``host`` alone.
    public let isHostOnly: Bool
    /// The path that the cookie is for, with all beneath it.
    public let path: String
    /// When the cookie expires; `nil` for a session cookie.
    public let expiresDate: Date?
    /// Whether the cookie is sent over TLS alone.
    public let isSecure: Bool
    /// Whether the cookie is for HTTP alone, and hidden from scripts.
    public let isHTTPOnly: Bool
    /// Whether other sites' requests get the cookie; `nil` where the server did not say, which counts as `Lax`.
    public let sameSitePolicy: HTTPCookieStringPolicy?
    /// The top-level site that the cookie is kept for, where cookies are partitioned.
    public let partitionKey: String?
    /// When a cookie of this name, domain and path was first stored.
    public internal(set) var creationDate: Date
    /// When the cookie was last stored or sent.
    public internal(set) var lastAccessDate: Date
    /// The place among cookies of the same creation date.
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

    /// `date` in whole microseconds, so that it is the same date after it was written as seconds since 1970 and read.
    private static func rounded(_ date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1e6).rounded() / 1e6)
    }

    /// Makes a cookie, or returns `nil` when HTTP could not carry it: control characters or semicolons, an empty
    /// domain, a path that does not begin with a slash, neither name nor value, more than 4096 bytes.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: A host for that host alone; with a leading dot, all names beneath it too.
    ///   - path: The path.
    ///   - expires: When the cookie expires; `nil` for a session cookie.
    ///   - isSecure: Whether the cookie is sent over TLS alone.
    ///   - isHTTPOnly: Whether the cookie is for HTTP alone.
    ///   - sameSite: Whether other sites' requests get the cookie.
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

    /// Whether a `Cookie` field can carry the cookie, and no other cookie is read out of it.
    var isWellFormed: Bool {
        // `=` in the name, or in the value of a nameless cookie, would be read as the end of another name.
        isStorable && !name.utf8.contains(UInt8(ascii: "="))
            && !(name.isEmpty && value.utf8.contains(UInt8(ascii: "=")))
    }

    /// Whether the cookie is one that a server could have set.
    var isStorable: Bool {
        let texts = [name, value, path, host]
        guard !texts.contains(where: { SetCookieField.hasControls($0.utf8) || $0.utf8.contains(UInt8(ascii: ";")) })
        else { return false }
        return !host.isEmpty && path.utf8.first == UInt8(ascii: "/") && !(name.isEmpty && value.isEmpty)
            && name.utf8.count + value.utf8.count <= SetCookieField.sizeLimit
    }

    /// The host; with a leading dot where the cookie is for the names beneath it too.
    public var domain: String { isHostOnly ? host : "." + host }

    /// Whether the cookie ends with the session.
    public var isSessionOnly: Bool { expiresDate == nil }

    /// 0: a cookie of Netscape's and RFC 6265's kind.
    public var version: Int { 0 }

    /// `nil`: RFC 6265 took the attribute `Comment` out.
    public var comment: String? { nil }

    /// `nil`: RFC 6265 took the attribute `CommentURL` out.
    public var commentURL: URL? { nil }

    /// The cookie as a `Cookie` field has it.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }

    func isExpired(at date: Date) -> Bool { expiresDate.map { $0 <= date } ?? false }

    /// What a jar tells cookies apart by (§5.7, step 22, and the partition).
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
    /// Whether all is equal but the dates of creation and access.
    public static func == (left: HTTPCookie, right: HTTPCookie) -> Bool {
        left.key == right.key && left.value == right.value && left.expiresDate == right.expiresDate
            && left.isSecure == right.isSecure && left.isHTTPOnly == right.isHTTPOnly
            && left.sameSitePolicy == right.sameSitePolicy
    }

    /// Hashes what a jar tells cookies apart by, and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
        hasher.combine(value)
    }
}

extension HTTPCookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, domain, path and attributes; the value is left out.
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

    /// Makes a policy.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only requests of the cookie's own site.
    public static let sameSiteStrict = Self(rawValue: "strict")
    /// Requests of the cookie's own site, and navigations from others.
    public static let sameSiteLax = Self(rawValue: "lax")
    /// All requests.
    public static let sameSiteNone = Self(rawValue: "none")
}

extension HTTPCookie {
    /// Which cookies a storage, a session or a request accepts.
    public enum AcceptPolicy: UInt, Sendable, Hashable {
        /// All cookies.
        case always = 0
        /// No cookies.
        case never = 1
        /// Cookies from the registrable domain of the request's `mainDocumentURL`, and all where there is none.
        case onlyFromMainDocumentDomain = 2
    }
}
