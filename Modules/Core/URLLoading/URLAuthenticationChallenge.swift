/// A challenge of a server or proxy, as reported to event monitors.
public struct URLAuthenticationChallenge: Sendable {
    /// The protection space of the credentials.
    public let protectionSpace: URLProtectionSpace
    /// The number of answers that the server rejected before.
    public let previousFailureCount: Int
    /// The response with the challenge.
    public let failureResponse: HTTPURLResponse?

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - protectionSpace: The protection space of the credentials.
    ///   - previousFailureCount: The number of answers that the server rejected before.
    ///   - failureResponse: The response with the challenge; `nil` if it is not known.
    public init(
        protectionSpace: URLProtectionSpace,
        previousFailureCount: Int = 0,
        failureResponse: HTTPURLResponse? = nil
    ) {
        self.protectionSpace = protectionSpace
        self.previousFailureCount = previousFailureCount
        self.failureResponse = failureResponse
    }
}

/// A protection space of credentials (RFC 9110 §11.5).
public struct URLProtectionSpace: Sendable, Hashable {
    /// The host.
    public let host: String
    /// The port.
    public let port: Int
    /// The scheme.
    public let `protocol`: String?
    /// The realm; servers may name none.
    public let realm: String?
    /// The authentication scheme as the server spells it: `Basic`, `Digest`.
    public let authenticationMethod: String

    /// Creates a protection space.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - port: The port.
    ///   - protocol: The scheme: `http` or `https`.
    ///   - realm: The realm; `nil` if the server names none.
    ///   - authenticationMethod: The authentication scheme as the server spells it, such as `Digest`.
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String) {
        self.host = host
        self.port = port
        self.protocol = `protocol`
        self.realm = realm
        self.authenticationMethod = authenticationMethod
    }
}
