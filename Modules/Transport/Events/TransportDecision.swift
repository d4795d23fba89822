public import HTTPTypes

/// A decision that changed the course of a request, and its reason.
public struct TransportDecision: Sendable {
    /// The kind of a decision.
    public enum Kind: Sendable {
        /// The request is sent again.
        case retried(attempt: Int)
        /// A redirect is followed: the response that asked for it and the request that follows.
        case followedRedirect(HTTPResponse, next: HTTPRequest)
        /// A redirect is not followed.
        case refusedRedirect(HTTPResponse)
        /// A server's challenge is answered with a credential, and the request sent again (RFC 9110 §11.3).
        case answeredChallenge(scheme: String, realm: String?)
        /// The server rejected the answer to its challenge: the caller receives the response with the challenge.
        case refusedChallenge(scheme: String, realm: String?)
        /// There is no answer to a server's challenge: the caller receives the response with the challenge.
        case unansweredChallenge(scheme: String, realm: String?)
        /// A kept connection is used.
        case reusedConnection(id: UInt64)
        /// The request is refused before it is sent.
        case refused
        /// The response comes from a cache.
        case servedFromCache
        /// No stored response answers the request: it goes to the server.
        case cacheMiss
        /// The response is being stored.
        case storedInCache
        /// The response is not stored.
        case notStoredInCache
        /// Stored responses were removed, because the resource has changed.
        case invalidatedInCache
        /// The cache's store failed. The request is not affected.
        case cacheFailed
        /// The request goes to another transport.
        case routed(to: String)
        /// The request waits, because there is no network path to the server.
        case waitsForConnectivity
        /// There is a network path to the server again, and the request is sent.
        case connectivityReturned
        /// Stored cookies were added to the request.
        case sentCookies(names: [String])
        /// A cookie of the response was stored, or replaced or deleted one of the same name.
        case storedCookie(name: String, domain: String)
        /// A cookie of the response was not stored.
        case rejectedCookie(name: String, domain: String)
        /// The request is sent by `https` instead of `http` (RFC 6797 §8.3).
        case upgradedToHTTPS(HTTPRequest)
        /// Another attempt is sent while the first one is running.
        case hedged(attempt: Int)
        /// The circuit breaker of the origin rejects requests from now on.
        case circuitOpened
        /// The circuit breaker of the origin lets this request probe the server.
        case circuitHalfOpened
        /// The circuit breaker of the origin lets requests pass again.
        case circuitClosed
    }

    /// The kind of decision.
    public let kind: Kind
    /// The reason, for logs.
    public let reason: String

    /// Creates a decision.
    public init(_ kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    var isReuse: Bool {
        if case .reusedConnection = kind { true } else { false }
    }
}
