package import HTTPTypes

// The authority and the target that a server receives: layers that sign requests or store responses must know what
// engines send.

extension HTTPRequest {
    /// The authority that the server receives in `Host` or `:authority`; `nil` if the request has none. The request's
    /// own `Host` overrides the authority of its URL (RFC 9110 §7.2, RFC 9113 §8.3.1).
    package var sentAuthority: String? { ownHost ?? authority.map { $0.sentAuthority(scheme: scheme) } }

    /// The target that the server receives in the request line or `:path`. Engines send a slash for an empty path (RFC
    /// 9112 §3.2.1, RFC 9113 §8.3.1).
    package var sentTarget: String {
        guard let path, let first = path.utf8.first else { return "/" }
        return first == UInt8(ascii: "?") ? "/\(path)" : path
    }

    /// Whether the request's own `Host` names another server than its URL.
    package var namesOtherHost: Bool {
        guard let ownHost else { return false }
        return normalized(ownHost) != authority.map { normalized($0.sentAuthority(scheme: scheme)) }
    }

    /// The value of the request's own `Host`.
    private var ownHost: String? { HTTPField.Name("Host").flatMap { headerFields[$0] } }

    /// Returns an authority in lower case without the default port (RFC 9110 §4.2.3).
    private func normalized(_ authority: String) -> String { authority.lowercased().withoutDefaultPort(of: scheme) }
}

extension String {
    /// Returns this authority in the form in which requests with `scheme` have it.
    fileprivate func sentAuthority(scheme: String?) -> String { withoutUser.withoutZone.withoutDefaultPort(of: scheme) }

    /// This authority without user information, which is not sent (RFC 9110 §4.2.4).
    package var withoutUser: String {
        guard let sign = utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
        return String(self[utf8.index(after: sign)...])
    }

    /// This authority without the zone of an IPv6 address, which is an interface of this host (RFC 6874 §4).
    package var withoutZone: String {
        guard utf8.first == UInt8(ascii: "["), let zone = utf8.firstIndex(of: UInt8(ascii: "%")),
            let end = utf8[zone...].firstIndex(of: UInt8(ascii: "]"))
        else { return self }
        return String(self[..<zone] + self[end...])
    }

    /// Returns this authority without an empty port and without the default port of `scheme` (RFC 9110 §4.2.3).
    package func withoutDefaultPort(of scheme: String?) -> String {
        guard let colon = utf8.lastIndex(of: UInt8(ascii: ":")), colon > utf8.startIndex else { return self }
        let digits = utf8[utf8.index(after: colon)...]
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return self }
        let defaultPort =
            switch scheme?.lowercased() {
            case "http", "ws": 80
            default: 443
            }
        return digits.isEmpty || Int(Substring(digits)) == defaultPort ? String(self[..<colon]) : self
    }
}
