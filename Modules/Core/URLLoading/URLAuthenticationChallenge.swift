/// A server's or proxy's demand for credentials, as event monitors are told of it.
public struct URLAuthenticationChallenge: Sendable {
    /// What the credentials are for.
    public let protectionSpace: URLProtectionSpace
    /// How many answers the server refused before.
    public let previousFailureCount: Int
    /// The response that brought the demand.
    public let failureResponse: HTTPURLResponse?

    /// Describes a demand.
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

/// What credentials are for (RFC 9110 §11.5).
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

    /// Describes a protection space.
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String) {
        self.host = host
        self.port = port
        self.protocol = `protocol`
        self.realm = realm
        self.authenticationMethod = authenticationMethod
    }
}
