/// A user's name and password, and the origin that may receive them.
///
/// Layers that answer challenges (RFC 9110 §11) read it from a request under the key ``RequestCredential``. No other
/// origin receives it, whichever redirects are followed.
public struct HTTPCredential: Sendable, Hashable {
    /// The user's name.
    public let user: String
    /// The password.
    public let password: String
    /// The origin that may receive them.
    public let origin: Origin
    /// Whether later requests to the same protection space may use the credential without naming it.
    public let isShared: Bool

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - origin: The origin that may receive them.
    ///   - isShared: Whether later requests to the same protection space may use it without naming it.
    public init(user: String, password: String, origin: Origin, isShared: Bool = false) {
        self.user = user
        self.password = password
        self.origin = origin
        self.isShared = isShared
    }
}

extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user's name and the origin; the password is left out.
    public var description: String { "credential of \(user) for \(origin)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The user's name and the origin, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user, "origin": origin]) }
}

/// The key of the credential that answers challenges.
public enum RequestCredential: TransportRequestKey {
    /// No credential: the caller receives challenges as responses.
    public static var defaultValue: HTTPCredential? { nil }
}

/// The key of whether only the request's own credential answers its challenges.
///
/// By default a layer shares credentials: a request without one is sent with the credential of an earlier request that
/// the server accepted. A request with an `Authorization` field belongs to another user, even after a redirect has
/// removed the field.
public enum OwnCredentialOnly: TransportRequestKey {
    /// Shared credentials are used for a request without one.
    public static var defaultValue: Bool { false }
}
