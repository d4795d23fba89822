public import Foundation

/// A credential of requests, such as a token with its expiration.
public protocol AuthenticationCredential {
    /// Whether the credential must be refreshed before it is used, because it has expired or is about to.
    var requiresRefresh: Bool { get }
}

/// Applies, refreshes and recognizes one kind of credential.
public protocol Authenticator: AnyObject, Sendable {
    /// The type of the credential.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Applies `credential` to a request, for example as an `Authorization` field.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - urlRequest: The request.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Requests a new credential in place of one that has expired or was rejected.
    ///
    /// Not called again before `completion` was. Requests of the interceptor's own session would wait for this refresh,
    /// which would wait for them: use another session, or a request without the interceptor.
    ///
    /// - Parameters:
    ///   - credential: The credential to replace.
    ///   - session: The session of the request that caused the refresh.
    ///   - completion: Receives the new credential, or an error. Only the first call counts.
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Whether a request failed because its credential was rejected, with status 401 on most servers.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - response: The response.
    ///   - error: The error that the request failed with.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether a request carries `credential` and not an older one.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - credential: The credential to look for.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// The reasons why requests could not be authenticated.
public enum AuthenticationError: Error, Sendable, Hashable {
    /// There is no credential.
    case missingCredential
    /// The credential was refreshed too often in the window, and was rejected each time.
    case excessiveRefresh
}

extension AuthenticationError: LocalizedError {
    /// A description of the reason.
    public var errorDescription: String? {
        switch self {
        case .missingCredential: "the authentication interceptor has no credential"
        case .excessiveRefresh:
            "the credential was refreshed as often as the refresh window allows, and the server still rejects it"
        }
    }
}
