internal import Foundation

/// How a client authenticates itself to the token endpoint (RFC 6749 §2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// Not at all, as a public client: its identifier is a parameter.
    case none
    /// Its secret goes in an `Authorization` field (`client_secret_basic`).
    case basic(secret: String)
    /// Its secret is a parameter (`client_secret_post`), for servers that take no field.
    case post(secret: String)
}

extension ClientAuthentication: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method's name in the registry of RFC 7591; the secret is left out.
    public var description: String {
        switch self {
        case .none: "none"
        case .basic: "client_secret_basic"
        case .post: "client_secret_post"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The method alone, so that a dump does not show the secret.
    public var customMirror: Mirror { Mirror(self, children: ["method": description]) }
}
