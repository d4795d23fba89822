public import Foundation

/// What requests are authenticated with: a token and what belongs to it.
public protocol AuthenticationCredential {
    /// Whether the credential has to be refreshed before it is used: it has expired, or is about to.
    var requiresRefresh: Bool { get }
}

/// Knows one kind of credential: how it is put into a request, how it is refreshed, how a refusal looks.
public protocol Authenticator: AnyObject, Sendable {
    /// What requests are authenticated with.
    associatedtype Credential: AuthenticationCredential & Sendable

    /// Puts `credential` into a request, as an `Authorization` field for one.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - urlRequest: The request.
    func apply(_ credential: Credential, to urlRequest: inout URLRequest)

    /// Gets a new credential in the place of one that has expired or was refused.
    ///
    /// Never called again before `completion` was. Requests of the interceptor's own session would wait for the refresh
    /// that waits for them: use another session, or a request without the interceptor.
    ///
    /// - Parameters:
    ///   - credential: The credential to replace.
    ///   - session: The session of the request that asked first.
    ///   - completion: Takes the new credential, or why there is none. Only the first call counts.
    func refresh(
        _ credential: Credential,
        for session: Session,
        completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    )

    /// Whether a request failed because its credential was refused: with status 401, for most servers.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - response: The response.
    ///   - error: Why the request failed.
    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool

    /// Whether a request carries `credential`, and not an older one.
    ///
    /// - Parameters:
    ///   - urlRequest: The request as it was sent.
    ///   - credential: The credential to look for.
    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Credential) -> Bool
}

/// Why requests could not be authenticated.
public enum AuthenticationError: Error, Sendable, Hashable {
    /// There is no credential.
    case missingCredential
    /// The credential was refreshed too often in too short a time; it seems to be refused each time.
    case excessiveRefresh
}

extension AuthenticationError: LocalizedError {
    /// The reason in words.
    public var errorDescription: String? {
        switch self {
        case .missingCredential: "the authentication interceptor has no credential"
        case .excessiveRefresh:
            "the credential was refreshed as often as the refresh window allows, and is still refused"
        }
    }
}
