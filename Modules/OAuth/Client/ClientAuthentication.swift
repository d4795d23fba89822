internal import Foundation

/// The authentication of a client at the token endpoint (RFC 6749 §2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// None, for a public client. Its identifier is a parameter.
    case none
    /// The secret in an `Authorization` field (`client_secret_basic`).
    case basic(secret: String)
    /// The secret as a parameter (`client_secret_post`), for servers that do not support the field.
    case post(secret: String)
}

extension ClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method's name in the registry of RFC 7591, without the secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .basic: "client_secret_basic"
        case .post: "client_secret_post"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The method, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": description]) }
}
