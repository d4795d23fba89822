public import HTTPTypes

/// The scheme, host and port of a server (RFC 6454 §4, RFC 9110 §4.3.1). Connections and credentials belong to an
/// origin.
public struct Origin: Sendable, Hashable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case; an IPv6 address without its brackets.
    public let host: String
    /// The port, also when it is the scheme's default.
    public let port: Int

    /// Names an origin.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - host: The host; brackets around an IPv6 address are dropped.
    ///   - port: The port; `nil` for the scheme's default, 443 for `https` and `wss`, 80 for the rest.
    public init(scheme: String, host: String, port: Int? = nil) {
        self.scheme = scheme.lowercased()
        self.host = Self.inLowerCase(Self.withoutBrackets(host))
        self.port = port ?? (self.scheme == "https" || self.scheme == "wss" ? 443 : 80)
    }

    /// Creates the origin that `head` is addressed to; `nil` if its scheme or authority is missing or malformed.
    public init?(_ head: HTTPRequest) {
        guard let scheme = head.scheme, let authority = head.authority else { return nil }
        self.init(scheme: scheme, authority: authority)
    }

    /// Creates the origin of an authority (`host`, `host:port`, `[v6]:port`). User information before an `@` is
    /// ignored.
    ///
    /// The result is `nil` if the scheme is malformed, or if the authority has no host, a host of more than 255 bytes
    /// (RFC 3986 §3.2.2), an invalid port, or characters that would end it (RFC 3986 §3.2).
    public init?(scheme: String, authority: String) {
        if scheme == "http" || scheme == "https", let (host, port) = Self.plainHostAndPort(of: authority) {
            self.init(plainScheme: scheme, host: host, port: port ?? (scheme == "https" ? 443 : 80))
            return
        }
        guard Self.isScheme(scheme), let (host, port) = Self.hostAndPort(of: authority) else { return nil }
        self.init(scheme: scheme, host: host, port: port)
    }

    /// The maximum length of a host in bytes (RFC 3986 §3.2.2). It bounds the work of walks over parent domains, which
    /// would otherwise be quadratic in the length of a redirect's location.
    package static let maximumHostLength = 255

    private init(plainScheme scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// Whether requests to this origin go over TLS.
    public var isSecure: Bool { scheme == "https" || scheme == "wss" }

    /// The reason why engines refuse the host; `nil` if they accept it.
    ///
    /// Engines accept names only in their ASCII form (`xn--…`, RFC 5890 §2.3.2.1), which URL types produce. Several
    /// mappings to that form are in use, and two engines must not choose different ones.
    package var hostFault: String? {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return "the host \(host.debugDescription) is not in its ASCII form (xn--…, RFC 5890 §2.3.2.1)"
    }

    /// Lowercases ASCII letters only (RFC 4343): `lowercased()` turns the Kelvin sign into a `k`, which names another
    /// host.
    private static func inLowerCase(_ host: String) -> String {
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host.lowercased() }
        return String(decoding: host.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func withoutBrackets(_ host: String) -> String {
        let bytes = host.utf8
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]"), bytes.count > 1 else { return host }
        return String(Substring(bytes.dropFirst().dropLast()))
    }
}

extension Origin {
    /// Returns host and port of an authority in the common form: a name or an IPv4 address in lower case, with or
    /// without a port. Returns `nil` for any other form.
    ///
    /// One pass over the bytes, because several layers derive the origin of each request.
    private static func plainHostAndPort(of authority: String) -> (host: String, port: Int?)? {
        var authority = authority
        return authority.withUTF8 { bytes in
            var end = 0
            while end < bytes.count, isPlain(bytes[end]) { end += 1 }
            guard end > 0, end <= maximumHostLength else { return nil }
            var port: Int?
            if end < bytes.count {
                guard bytes[end] == UInt8(ascii: ":") else { return nil }
                for byte in bytes[(end + 1)...] {
                    guard isDigit(byte) else { return nil }
                    let number = (port ?? 0) * 10 + Int(byte & 0x0F)
                    guard number <= UInt16.max else { return nil }
                    port = number
                }
            }
            return (String(decoding: UnsafeBufferPointer(rebasing: bytes[..<end]), as: UTF8.self), port)
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func hostAndPort(of authority: String) -> (host: String, port: Int?)? {
        // Refused, because parsers disagree: some take `a/@b` for the host `b`, others connect to `a`.
        guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !forbiddenAnywhere.contains($0) }) else {
            return nil
        }
        // By bytes: a `:` with a combining accent is not the `Character` `:`, but the engines treat it as a colon.
        let bytes = authority.utf8
        let place = bytes.lastIndex(of: UInt8(ascii: "@")).map { bytes[$0...].dropFirst() } ?? bytes[...]
        let host: Substring.UTF8View
        let rest: Substring.UTF8View
        if place.first == UInt8(ascii: "[") {
            guard let bracket = place.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = place[..<bracket].dropFirst()
            rest = place[bracket...].dropFirst()
            guard host.contains(UInt8(ascii: ":")) else { return nil }
        } else {
            let colon = place.firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
            host = place[..<colon]
            rest = place[colon...]
        }
        guard !host.isEmpty, host.count <= maximumHostLength, !host.contains(where: forbiddenInHosts.contains) else {
            return nil
        }
        guard !rest.isEmpty, !rest.elementsEqual(":".utf8) else { return (String(Substring(host)), nil) }
        // `UInt16(_:)` also accepts a sign.
        let digits = rest.dropFirst()
        guard rest.first == UInt8(ascii: ":"), digits.allSatisfy(isDigit), let port = UInt16(Substring(digits)) else {
            return nil
        }
        return (String(Substring(host)), Int(port))
    }

    private static func isScheme(_ scheme: String) -> Bool {
        guard let first = scheme.utf8.first, isLetter(first) else { return false }
        return scheme.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static let forbiddenAnywhere = Array(#"/?#\"#.utf8)
    private static let forbiddenInHosts = Array(#"[]<>"^`{|}"#.utf8)
}

extension Origin: CustomStringConvertible {
    /// `scheme://host:port`.
    public var description: String {
        host.contains(":") ? "\(scheme)://[\(host)]:\(port)" : "\(scheme)://\(host):\(port)"
    }
}
