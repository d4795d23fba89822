public import AirframeTransport
internal import Foundation

/// The code and URL with which a user authorizes a device without a browser (RFC 8628 §3.2).
public struct DeviceAuthorization: Sendable {
    /// The code that the user enters.
    public let userCode: String
    /// The URI at which the user enters the code.
    public let verificationURI: String
    /// The URI with the code in it, for a QR code; `nil` if the server sent none.
    public let verificationURIComplete: String?
    /// The instant at which the codes expire, on the transport's clock.
    public let expiration: MonotonicInstant

    let deviceCode: String
    let interval: Duration
}

extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// The instructions for the user.
    public var description: String { "open \(verificationURI) and enter \(userCode)" }

    /// The instructions for the user, so that a dump does not show the device's code.
    public var customMirror: Mirror {
        Mirror(self, children: ["userCode": userCode, "verificationURI": verificationURI])
    }
}

extension OAuthClient {
    /// Begins the device flow (RFC 8628 §3.1).
    ///
    /// - Parameter scope: The scope to request: space-separated names; `nil` for the server's default (RFC 6749 §3.3).
    /// - Returns: The instructions for the user. ``token(for:)-(DeviceAuthorization)`` waits until the user has
    ///   approved.
    /// - Throws: ``OAuthError``.
    public func authorizeDevice(scope: String? = nil) async throws(OAuthError) -> DeviceAuthorization {
        let endpoint = try server.endpoint("device_authorization_endpoint", server.deviceAuthorizationEndpoint)
        // Public clients name themselves; the authentication of others does it for them.
        let answer = try await post(FormParameters([("scope", scope)]), to: endpoint)
        guard answer.status == 200 else { throw answer.error }
        let words = try answer.decoded(DeviceWords.self, as: "the device authorization")
        // RFC 8628 §3.2: five seconds by default. An interval below one second counts as missing, because it would
        // flood the server.
        let interval = words.interval.flatMap { $0 >= 1 ? $0 : nil } ?? 5
        return DeviceAuthorization(
            userCode: words.userCode,
            verificationURI: words.verificationURI,
            verificationURIComplete: words.verificationURIComplete,
            expiration: transport.clock.now.advanced(by: .clamping(seconds: words.lifetime)),
            deviceCode: words.deviceCode,
            interval: .clamping(seconds: interval)
        )
    }

    /// Waits until the user has authorized the device, and gets the token (RFC 8628 §3.4).
    ///
    /// - Parameter device: The result of ``authorizeDevice(scope:)``.
    /// - Throws: ``OAuthError/deviceCodeExpired`` when the user was too slow, ``OAuthError/server(_:)`` with
    ///   `access_denied` when the user refused, any other ``OAuthError``.
    public func token(for device: DeviceAuthorization) async throws(OAuthError) -> OAuthToken {
        let parameters = FormParameters([
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode),
        ])
        var interval = device.interval
        while true {
            try await wait(interval, until: device.expiration)
            do throws(OAuthError) {
                return try await token(parameters)
            } catch {
                switch error {
                case .server(let refusal) where refusal.code == "authorization_pending": continue
                // RFC 8628 §3.5: by five seconds, for this request and all that follow.
                case .server(let refusal) where refusal.code == "slow_down": interval += .seconds(5)
                case .server(let refusal) where refusal.code == "expired_token": throw .deviceCodeExpired
                // RFC 8628 §3.5: less often when connections time out.
                case .transport(let failure) where failure.isTimeout: interval += interval
                default: throw error
                }
            }
        }
    }

    private func wait(_ interval: Duration, until expiration: MonotonicInstant) async throws(OAuthError) {
        let clock = transport.clock
        let next = clock.now.advanced(by: interval)
        guard next < expiration else { throw .deviceCodeExpired }
        do {
            try await clock.sleep(until: next)
        } catch {
            throw .transport(.cancelled(in: .layer, processing: .notSent))
        }
    }
}

/// RFC 8628 §3.2.
private struct DeviceWords: Decodable {
    let deviceCode: String
    let userCode: String
    let verificationURI: String
    let verificationURIComplete: String?
    let lifetime: Double
    let interval: Double?

    enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case verificationURIComplete = "verification_uri_complete"
        case lifetime = "expires_in"
        case interval
    }
}
