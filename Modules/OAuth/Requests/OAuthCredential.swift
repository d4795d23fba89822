public import AirframeCore
internal import AirframeTransport
internal import Foundation

/// The credential of an ``OAuthAuthenticator``: a token, or none yet.
public struct OAuthCredential: AuthenticationCredential, Sendable {
    /// The token; `nil` before the first one was obtained.
    public let token: OAuthToken?

    let clock: any TransportClock
    let leeway: TimeInterval

    /// Whether there is no token, or it expires within the authenticator's leeway.
    public var requiresRefresh: Bool {
        token?.isExpired(at: clock.date(at: clock.now).addingTimeInterval(leeway)) ?? true
    }
}
