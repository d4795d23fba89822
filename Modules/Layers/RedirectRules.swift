public import AirframeTransport

/// The rules for redirects to another origin.
///
/// A redirecting server chooses the next URL. It must not thereby send a secret to another server or abandon TLS.
/// The rules of a ``RedirectLayer`` apply to all its requests; a request can override them under ``RedirectRules/Key``.
public struct RedirectRules: Sendable {
    /// What happens to a request's content when a redirect asks to send it to another origin (`307` and `308`, and all
    /// redirects of methods other than `GET`, `HEAD` and `POST`).
    public enum Content: Sendable, Hashable {
        /// The request fails with ``TransportError/Code/redirectRefused``.
        case refuse
        /// The content is sent again.
        case send
    }

    /// What happens when a redirect leads from `https` to `http`.
    public enum Downgrade: Sendable, Hashable {
        /// The request fails with ``TransportError/Code/redirectRefused``.
        case refuse
        /// The redirect is followed in the clear, without credentials.
        case follow
    }

    /// The content of requests that are redirected to another origin; refused by default.
    ///
    /// From `http` to `https` on the same host, both at their default ports, the content always goes along: there it is
    /// safer than before. Content that a redirect handler puts in place is always sent.
    public var contentToOtherOrigins: Content

    /// Redirects from `https` to `http`; refused by default.
    public var downgrades: Downgrade

    /// The fields that stay behind when the origin changes: those that this policy calls secrets.
    public var secrets: RedactionPolicy

    /// Makes rules.
    ///
    /// - Parameters:
    ///   - contentToOtherOrigins: What happens to a request's content when it should go to another origin.
    ///   - downgrades: What happens when a redirect leads from `https` to `http`.
    ///   - secrets: The fields that stay behind when the origin changes.
    public init(
        contentToOtherOrigins: Content = .refuse,
        downgrades: Downgrade = .refuse,
        secrets: RedactionPolicy = .standard
    ) {
        self.contentToOtherOrigins = contentToOtherOrigins
        self.downgrades = downgrades
        self.secrets = secrets
    }

    /// The rules of a request; `nil` leaves it to the layer.
    public enum Key: TransportRequestKey {
        /// The layer's rules.
        public static var defaultValue: RedirectRules? { nil }
    }
}

extension RedirectRules {
    /// Whether the content of a request to `first` may go along to `next`.
    func allowContent(from first: Origin?, to next: Origin) -> Bool {
        if contentToOtherOrigins == .send || first == next { return true }
        guard let first, first.host == next.host else { return false }
        return first.scheme == "http" && first.port == 80 && next.scheme == "https" && next.port == 443
    }

    /// Whether a redirect from `first` may lead to `next`.
    func allowScheme(from first: Origin?, to next: Origin) -> Bool {
        downgrades == .follow || next.isSecure || first?.isSecure == false
    }
}
