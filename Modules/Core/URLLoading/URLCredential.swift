/// A user's name and password.
public struct URLCredential: Sendable, Hashable {
    /// How long to keep a credential.
    public enum Persistence: UInt, Sendable, Hashable {
        /// For the one request.
        case none = 0
        /// For the session.
        case forSession = 1
        /// For good. Nothing on Linux keeps credentials for good: it is the same as ``forSession``.
        case permanent = 2
        /// For good, on all the user's devices. The same as ``forSession``.
        case synchronizable = 3
    }

    /// The user's name.
    public let user: String?
    /// The password.
    public let password: String?
    /// How long to keep the credential.
    public let persistence: Persistence

    /// Makes a credential.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - password: The password.
    ///   - persistence: How long to keep it.
    public init(user: String, password: String, persistence: Persistence) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }

    /// Whether there is a password.
    public var hasPassword: Bool { password != nil }
}

extension URLCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The user's name; the password is left out.
    public var description: String { "credential of \(user ?? "(nobody)")" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The user's name alone, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["user": user as Any]) }
}
