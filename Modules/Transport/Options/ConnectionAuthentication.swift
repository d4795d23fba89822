/// A handshake that authenticates a connection to a server instead of each request: Negotiate (RFC 4559) or NTLM
/// (MS-NTHT).
///
/// Set it as ``TransportOptions/connectionAuthentication``. The engine performs the handshake on the connection that
/// carries the request, and no request without the same value uses that connection. Requests for other origins,
/// redirected ones included, are sent without it.
///
/// Only engines with ``TransportFeatures/connectionAuthentication`` accept it: `CurlTransport`, if its libcurl was
/// built with the scheme.
public struct ConnectionAuthentication: Sendable, Hashable {
    /// A scheme that authenticates connections.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        /// SPNEGO (RFC 4559), which carries Kerberos tickets.
        case negotiate = "Negotiate"
        /// NTLM (MS-NTHT). NTLM sends a proof of the password, which can be guessed offline: use it over TLS only.
        case ntlm = "NTLM"
    }

    /// The scheme.
    public let scheme: Scheme
    /// The origin that the credential is for.
    public let origin: Origin
    /// The user's name, as `DOMAIN\user` where a domain is named; empty for Negotiate.
    package let user: String
    /// The password; empty for Negotiate.
    package let password: String

    private init(_ scheme: Scheme, origin: Origin, user: String = "", password: String = "") {
        self.scheme = scheme
        self.origin = origin
        self.user = user
        self.password = password
    }

    /// Returns Negotiate with the Kerberos ticket of the process: that of `kinit`, or of the keytab that
    /// `KRB5_CLIENT_KTNAME` names.
    ///
    /// - Parameter origin: The origin to authenticate to. Its host is the service's name in Kerberos: `HTTP/host`.
    public static func negotiate(for origin: Origin) -> ConnectionAuthentication {
        ConnectionAuthentication(.negotiate, origin: origin)
    }

    /// Returns NTLM with a password.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - domain: The Windows domain, or `nil` for the server's own.
    ///   - origin: The origin to authenticate to.
    public static func ntlm(
        user: String,
        password: String,
        domain: String? = nil,
        for origin: Origin
    ) -> ConnectionAuthentication {
        let name = domain.map { "\($0)\\\(user)" } ?? user
        return ConnectionAuthentication(.ntlm, origin: origin, user: name, password: password)
    }
}

extension ConnectionAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme, the user and the origin, without the password.
    public var description: String {
        user.isEmpty ? "\(scheme.rawValue) for \(origin)" : "\(scheme.rawValue) as \(user) for \(origin)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The scheme, the user and the origin, so that a dump does not show the password.
    public var customMirror: Mirror {
        Mirror(self, children: ["scheme": scheme, "user": user, "origin": origin])
    }
}
