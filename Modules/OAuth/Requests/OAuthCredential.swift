public import AirframeCore
internal import AirframeTransport
internal import Foundation

/// The credential of an ``OAuthAuthenticator``: a token, or none yet.
public struct OAuthCredential: AuthenticationCredential, Sendable {
    /// The token; `nil` before the first one was obtained.
    public let token: OAuthToken?

    private let clock: any TransportClock
    /// The date at which the token is replaced; `nil` if only its rejection replaces it.
    private let renewalDate: Date?

    /// Creates the credential of a stored token, or of none.
    init(_ token: OAuthToken?, leeway: TimeInterval, clock: any TransportClock) {
        self.token = token
        self.clock = clock
        renewalDate = token?.expiration?.addingTimeInterval(-leeway)
    }

    /// Creates the credential of a token that has just been issued. It is used for at least half of its lifetime. The
    /// lifetime of a token that has expired on arrival is wrong, so the server's rejection decides.
    init(issued token: OAuthToken, leeway: TimeInterval, clock: any TransportClock) {
        self.token = token
        self.clock = clock
        let now = clock.date(at: clock.now)
        let expiration = token.expiration.flatMap { $0 > now ? $0 : nil }
        renewalDate = expiration.map { $0.addingTimeInterval(-min(leeway, $0.timeIntervalSince(now) / 2)) }
    }

    /// Whether there is no token, or it expires within the authenticator's leeway. The leeway of a token from the
    /// authenticator is at most half of the token's lifetime.
    public var requiresRefresh: Bool {
        guard token != nil else { return true }
        return renewalDate.map { $0 <= clock.date(at: clock.now) } ?? false
    }
}
