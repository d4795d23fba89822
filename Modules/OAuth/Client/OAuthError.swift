public import AirframeTransport
public import Foundation

/// An error that an authorization server answers with (RFC 6749 §5.2 and §4.1.2.1, RFC 8628 §3.5, RFC 9449 §5).
public struct OAuthServerError: Error, Sendable, Hashable {
    /// The error's code, such as `invalid_grant`.
    public let code: String
    /// The server's `error_description` for developers; `nil` if it sent none.
    public let details: String?
    /// The URI of a page about the error; `nil` if the server sent none.
    public let uri: String?
    /// The status of the response; `nil` for an error in a redirect.
    public let status: Int?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The error's code.
    ///   - details: The server's `error_description`.
    ///   - uri: The URI of a page about the error.
    ///   - status: The status of the response.
    public init(code: String, details: String? = nil, uri: String? = nil, status: Int? = nil) {
        self.code = code
        self.details = details
        self.uri = uri
        self.status = status
    }
}

extension OAuthServerError: LocalizedError, CustomStringConvertible {
    /// The code and the server's `error_description`.
    public var description: String {
        let words = [details, uri.map { "see \($0)" }].compactMap { $0 }.joined(separator: "; ")
        let status = status.map { " (status \($0))" } ?? ""
        return "the authorization server answered \(code)\(status)\(words.isEmpty ? "" : ": \(words)")"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

/// The reason that no token was obtained.
public enum OAuthError: Error, Sendable {
    /// The authorization server answered with an error.
    case server(OAuthServerError)
    /// The request to the authorization server failed.
    case transport(TransportError)
    /// The server's metadata names no endpoint for this.
    case missingEndpoint(String)
    /// An endpoint is neither an `https` URL nor on this machine.
    case insecureEndpoint(String)
    /// A response does not conform to the RFC.
    case malformedResponse(String)
    /// The metadata (RFC 8414 §3.3) or the redirect (RFC 9207 §2.4) names another issuer.
    case issuerMismatch(expected: String, found: String)
    /// The redirect belongs to another authorization request, or to an attack (RFC 6749 §10.12).
    case stateMismatch
    /// The token has expired, and the server issued no refresh token.
    case missingRefreshToken
    /// The user did not approve the device in time (RFC 8628 §3.5).
    case deviceCodeExpired
    /// A key for proofs of possession cannot be made or used.
    case unusableKey(String)
    /// Listening on the loopback address failed, or no redirect arrived.
    case receiverFailed(String)
}

extension OAuthError: LocalizedError, CustomStringConvertible {
    /// The reason, and a remedy if there is one.
    public var description: String {
        switch self {
        case .server(let error): error.description
        case .transport(let error): error.description
        case .missingEndpoint(let name): "the authorization server's metadata has no \(name)"
        case .insecureEndpoint(let url):
            "the endpoint \(url) is not https: tokens are sent only over https, or to this machine"
        case .malformedResponse(let reason): "the authorization server's response is malformed: \(reason)"
        case .issuerMismatch(let expected, let found): "the issuer is \(found), and should be \(expected)"
        case .stateMismatch: "the redirect does not belong to this authorization request: its state differs"
        case .missingRefreshToken: "the token has expired and there is no refresh token: authorize the user again"
        case .deviceCodeExpired: "the user did not approve the device in time: start again"
        case .unusableKey(let reason): "the key for proofs of possession is unusable: \(reason)"
        case .receiverFailed(let reason): "no redirect was received: \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The code of the server's error; `nil` for any other.
    public var serverCode: String? {
        if case .server(let error) = self { error.code } else { nil }
    }
}
