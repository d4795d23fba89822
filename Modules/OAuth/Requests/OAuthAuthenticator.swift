public import AirframeCore
public import AirframeTransport
public import Foundation

/// Puts a token into requests and renews it when it expires or is refused.
///
/// ```swift
/// let authenticator = OAuthAuthenticator(client, renewal: .clientCredentials(scope: "flights:read"))
/// let session = Session(interceptor: authenticator.interceptor())
/// ```
///
/// A token that is bound to a key needs a ``DPoPLayer`` in the session too.
///
/// A class, because `AuthenticationInterceptor` asks for one.
public final class OAuthAuthenticator: Authenticator {
    /// How a token is renewed.
    public enum Renewal: Sendable, Hashable {
        /// By its refresh token (RFC 6749 §6).
        case refreshToken
        /// By asking for a new one with the client's own credentials (RFC 6749 §4.4).
        case clientCredentials(scope: String? = nil)
    }

    /// The client that gets tokens.
    public let client: OAuthClient
    /// How a token is renewed.
    public let renewal: Renewal
    /// The seconds before its expiration at which a token is renewed.
    public let leeway: TimeInterval

    /// The origins whose requests carry the token; `nil` for all.
    public let origins: Set<Origin>?

    private let onRenewal: @Sendable (OAuthToken) -> Void

    /// Makes an authenticator.
    ///
    /// - Parameters:
    ///   - client: The client that gets tokens.
    ///   - renewal: How a token is renewed.
    ///   - origins: The origins whose requests carry the token; `nil` for all. Name them where a session's requests go to
    ///     several servers: whoever gets the token can use it.
    ///   - leeway: The seconds before its expiration at which a token is renewed.
    ///   - onRenewal: Called with each new token, to store it: a server may issue a new refresh token with each, and
    ///     refuse the older one.
    public init(
        _ client: OAuthClient,
        renewal: Renewal = .refreshToken,
        for origins: Set<Origin>? = nil,
        leeway: TimeInterval = 30,
        onRenewal: @escaping @Sendable (OAuthToken) -> Void = { _ in }
    ) {
        self.client = client
        self.renewal = renewal
        self.origins = origins
        self.leeway = leeway
        self.onRenewal = onRenewal
    }

    /// Makes the interceptor for a session or a request.
    ///
    /// - Parameter token: The token to begin with; without one the first request gets it.
    public func interceptor(for token: OAuthToken? = nil) -> AuthenticationInterceptor<OAuthAuthenticator> {
        AuthenticationInterceptor(authenticator: self, credential: credential(for: token))
    }

    /// Returns the credential of a token, to set as the interceptor's.
    public func credential(for token: OAuthToken?) -> OAuthCredential {
        OAuthCredential(token: token, clock: client.transport.clock, leeway: leeway)
    }

    // MARK: Authenticator

    /// Sets the `Authorization` field.
    public func apply(_ credential: OAuthCredential, to urlRequest: inout URLRequest) {
        guard let token = credential.token, isFor(urlRequest) else { return }
        urlRequest.headers.update(name: "Authorization", value: token.fieldValue)
    }

    /// Gets a new token over the client's transport.
    public func refresh(
        _ credential: OAuthCredential,
        for session: Session,
        completion: @escaping @Sendable (Result<OAuthCredential, any Error>) -> Void
    ) {
        Task {
            do throws(OAuthError) {
                let token = try await renewed(credential.token)
                onRenewal(token)
                completion(.success(self.credential(for: token)))
            } catch {
                completion(.failure(error))
            }
        }
    }

    private func renewed(_ token: OAuthToken?) async throws(OAuthError) -> OAuthToken {
        switch renewal {
        case .refreshToken:
            guard let token else { throw .missingRefreshToken }
            return try await client.refresh(token)
        case .clientCredentials(let scope): return try await client.clientCredentials(scope: scope)
        }
    }

    private func isFor(_ urlRequest: URLRequest) -> Bool {
        guard let origins else { return true }
        return urlRequest.origin.map(origins.contains) ?? false
    }

    /// Whether the status is 401 (RFC 6750 §3.1) and the request carried a token.
    public func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401 && isFor(urlRequest)
    }

    /// Whether the `Authorization` field carries the credential's token.
    public func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuthCredential) -> Bool {
        credential.token.map { urlRequest.headers["Authorization"] == $0.fieldValue } ?? false
    }
}
