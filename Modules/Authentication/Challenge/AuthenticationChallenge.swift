/// One challenge of a server (RFC 9110 §11.3): a scheme, and a token or parameters.
///
/// ```swift
/// let challenges = AuthenticationChallenge.challenges(in: [#"Digest realm="x", nonce="y", Basic realm="z""#])
/// ```
public struct AuthenticationChallenge: Sendable, Hashable {
    /// The scheme as the server spells it; schemes are compared without regard to case.
    public let scheme: String
    /// The token68 that follows the scheme, as in Negotiate's challenges.
    public let token68: String?
    /// The parameters by their names in lower case, values without quotes and escapes. The first of several parameters
    /// with the same name counts.
    public let parameters: [String: String]

    /// Creates a challenge.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - token68: The token68 that follows the scheme.
    ///   - parameters: The parameters by their names in lower case.
    public init(scheme: String, token68: String? = nil, parameters: [String: String] = [:]) {
        self.scheme = scheme
        self.token68 = token68
        self.parameters = parameters
    }

    /// The realm; servers may name none.
    public var realm: String? { parameters["realm"] }

    /// Whether this is a challenge of `scheme`, in any case.
    func isOf(_ scheme: String) -> Bool { self.scheme.lowercased() == scheme.lowercased() }
}
