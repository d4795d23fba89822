public import AirframeCore
public import AirframeTransport
public import Foundation

/// Adds a token to requests and renews it when it expires or is rejected.
///
/// ```swift
/// let authenticator = OAuthAuthenticator(client, renewal: .clientCredentials(scope: "flights:read"))
/// let session = Session(interceptor: authenticator.interceptor())
/// ```
///
/// A token that is bound to a key also needs a ``DPoPLayer`` in the session.
///
/// A class, because `AuthenticationInterceptor` requires one.
public final class OAuthAuthenticator: Authenticator {
    /// The method of renewing a token.
    public enum Renewal: Sendable, Hashable {
        /// With its refresh token (RFC 6749 §6).
        case refreshToken
        /// With the client's credentials (RFC 6749 §4.4).
        case clientCredentials(scope: String? = nil)
    }

    /// The client that gets tokens.
    public let client: OAuthClient
    /// The method of renewing a token.
    public let renewal: Renewal
    /// The seconds before its expiration at which a token is renewed. A token that the authenticator has renewed is
    /// used for at least half of its lifetime. One that is passed to ``credential(for:)`` is renewed within the leeway,
    /// because its lifetime is unknown.
    public let leeway: TimeInterval

    /// The origins whose requests carry the token; `nil` for all.
    public let origins: Set<Origin>?

    private let onRenewal: @Sendable (OAuthToken) -> Void

    /// Creates an authenticator.
    ///
    /// - Parameters:
    ///   - client: The client that gets tokens.
    ///   - renewal: The method of renewing a token.
    ///   - origins: The origins whose requests carry the token; `nil` for all. Set them if a session sends requests to
    ///     several servers: each server that receives the token can use it.
    ///   - leeway: The seconds before its expiration at which a token is renewed.
    ///   - onRenewal: Called with each new token, to store it. A server may issue a new refresh token with each, and
    ///     reject the older one.
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

    /// Creates the interceptor for a session or a request.
    ///
    /// - Parameter token: The initial token; without one the first request gets it.
    public func interceptor(for token: OAuthToken? = nil) -> AuthenticationInterceptor<OAuthAuthenticator> {
        AuthenticationInterceptor(authenticator: self, credential: credential(for: token))
    }

    /// Returns the credential of a token, to set as the interceptor's.
    public func credential(for token: OAuthToken?) -> OAuthCredential {
        OAuthCredential(token, leeway: leeway, clock: client.transport.clock)
    }

    // MARK: Authenticator

    /// Sets the `Authorization` field.
    public func apply(_ credential: OAuthCredential, to urlRequest: inout URLRequest) {
        guard let token = credential.token, isFor(urlRequest) else { return }
        urlRequest.headers.update(name: "Authorization", value: token.fieldValue)
    }

    /// Gets a new token over the client's transport.
    ///
    /// - Parameters:
    ///   - credential: The credential to replace.
    ///   - session: The session of the request that caused the refresh, which is not used.
    ///   - completion: Receives the new credential, or an ``OAuthError``.
    public func refresh(
        _ credential: OAuthCredential,
        for session: Session,
        completion: @escaping @Sendable (Result<OAuthCredential, any Error>) -> Void
    ) {
        Task {
            do throws(OAuthError) {
                let token = try await renewed(credential.token)
                onRenewal(token)
                completion(
                    .success(OAuthCredential(issued: token, leeway: leeway, clock: client.transport.clock)))
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

    /// Returns whether the status is 401 (RFC 6750 §3.1) and the request's origin receives the token.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - response: The response.
    ///   - error: The error that the request failed with.
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
