/// A user's name and password.
public struct URLCredential: Sendable, Hashable {
    /// The lifetime of a credential.
    public enum Persistence: UInt, Sendable, Hashable {
        /// For the one request.
        case none = 0
        /// For the session.
        case forSession = 1
        /// Permanent. Credentials are not stored permanently on Linux: the same as ``forSession``.
        case permanent = 2
        /// Permanent, on all the user's devices. The same as ``forSession``.
        case synchronizable = 3
    }

    /// The user's name.
    public let user: String?
    /// The password.
    public let password: String?
    /// The lifetime of the credential.
    public let persistence: Persistence

    /// Creates a credential.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - persistence: The lifetime of the credential.
    public init(user: String, password: String, persistence: Persistence) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }

    /// Whether there is a password.
    public var hasPassword: Bool { password != nil }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user's name, without the password.
    public var description: String { "credential of \(user ?? "(no user)")" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The user's name alone, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user as Any]) }
}
