public import AirframeTransport

/// The rules for redirects to another origin.
///
/// A redirecting server chooses the next URL. It must not thereby send a secret to another server or abandon TLS.
/// The rules of a ``RedirectLayer`` apply to all its requests; a request can override them under ``RedirectRules/Key``.
public struct RedirectRules: Sendable {
    /// The policy for content that a redirect asks to send to another origin (`307` and `308`, and all redirects of
    /// methods other than `GET`, `HEAD` and `POST`).
    public enum Content: Sendable, Hashable {
        /// The request fails with ``TransportError/Code/redirectRefused``.
        case refuse
        /// The content is sent again.
        case send
    }

    /// The policy for redirects from `https` to `http`.
    public enum Downgrade: Sendable, Hashable {
        /// The request fails with ``TransportError/Code/redirectRefused``.
        case refuse
        /// The redirect is followed in the clear, without credentials.
        case follow
    }

    /// The policy for the content of requests that are redirected to another origin; refused by default.
    ///
    /// A redirect from `http` to `https` on the same host, both at their default ports, always keeps the content,
    /// because it is safer there. Content that a redirect handler supplies is always sent.
    public var contentToOtherOrigins: Content

    /// The policy for redirects from `https` to `http`; refused by default.
    public var downgrades: Downgrade

    /// The redaction policy whose secret fields are removed when the origin changes.
    public var secrets: RedactionPolicy

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - contentToOtherOrigins: The policy for content that a redirect asks to send to another origin.
    ///   - downgrades: The policy for redirects from `https` to `http`.
    ///   - secrets: The redaction policy whose secret fields are removed when the origin changes.
    public init(
        contentToOtherOrigins: Content = .refuse,
        downgrades: Downgrade = .refuse,
        secrets: RedactionPolicy = .standard
    ) {
        self.contentToOtherOrigins = contentToOtherOrigins
        self.downgrades = downgrades
        self.secrets = secrets
    }

    /// The key of a request's rules; `nil` stands for the layer's.
    public enum Key: TransportRequestKey {
        /// The layer's rules.
        public static var defaultValue: RedirectRules? { nil }
    }
}

extension RedirectRules {
    /// Returns whether the content of a request to `first` may be sent to `next`.
    func allowContent(from first: Origin?, to next: Origin) -> Bool {
        if contentToOtherOrigins == .send || first == next { return true }
        guard let first, first.host == next.host else { return false }
        return first.scheme == "http" && first.port == 80 && next.scheme == "https" && next.port == 443
    }

    /// Returns whether a redirect from `first` to `next` may be followed.
    func allowScheme(from first: Origin?, to next: Origin) -> Bool {
        downgrades == .follow || next.isSecure || first?.isSecure == false
    }
}
