/// A user's name and password, and the origin that they are for.
///
/// Layers that answer challenges (RFC 9110 §11) read it from a request under the key ``RequestCredential``. It is never
/// sent to another origin, wherever redirects lead.
public struct HTTPCredential: Sendable, Hashable {
    /// The user's name.
    public let user: String
    /// The password.
    public let password: String
    /// Where they may be sent.
    public let origin: Origin
    /// Whether later requests to the same protection space may use the credential without naming it.
    public let isShared: Bool

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - origin: Where they may be sent.
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

/// The credential to answer challenges with.
public enum RequestCredential: TransportRequestKey {
    /// No credential by default: challenges are handed out as they come.
    public static var defaultValue: HTTPCredential? { nil }
}

/// Whether challenges to the request are answered with no credential but its own.
///
/// A layer that answers challenges shares what it has learned: a request that brings no credential is sent with the one
/// that another request was accepted with. A request that brought an `Authorization` is for another user, also after a
/// redirect has left the field behind.
public enum OwnCredentialOnly: TransportRequestKey {
    /// Credentials are shared with a request that brings none.
    public static var defaultValue: Bool { false }
}
