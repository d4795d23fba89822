public import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// The endpoints of an authorization server, from its metadata (RFC 8414 §2) or from its documentation.
public struct OAuthServer: Sendable, Hashable, Codable {
    /// The issuer's identifier, a URL; `nil` if it is unknown.
    public var issuer: String?
    /// The endpoint at which users authorize clients.
    public var authorizationEndpoint: String?
    /// The endpoint at which clients get tokens.
    public var tokenEndpoint: String?
    /// The endpoint at which devices begin the device flow (RFC 8628).
    public var deviceAuthorizationEndpoint: String?
    /// The PKCE methods that the server supports; `nil` if its metadata does not list them.
    public var codeChallengeMethodsSupported: [String]?
    /// The algorithms of DPoP proofs that the server supports (RFC 9449 §5.1); `nil` if its metadata does not list
    /// them.
    public var dpopSigningAlgValuesSupported: [String]?
    /// Whether redirects name the issuer (RFC 9207 §3).
    public var authorizationResponseIssParameterSupported: Bool?

    /// Describes a server without metadata.
    ///
    /// - Parameters:
    ///   - issuer: The issuer's identifier.
    ///   - authorizationEndpoint: The endpoint at which users authorize clients.
    ///   - tokenEndpoint: The endpoint at which clients get tokens.
    ///   - deviceAuthorizationEndpoint: The endpoint at which devices begin the device flow.
    public init(
        issuer: String? = nil,
        authorizationEndpoint: String? = nil,
        tokenEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
    }

    private enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case codeChallengeMethodsSupported = "code_challenge_methods_supported"
        case dpopSigningAlgValuesSupported = "dpop_signing_alg_values_supported"
        case authorizationResponseIssParameterSupported = "authorization_response_iss_parameter_supported"
    }
}

extension OAuthServer {
    /// Gets the metadata of an authorization server (RFC 8414 §3), or if it has none, that of OpenID Connect Discovery.
    ///
    /// - Parameters:
    ///   - issuer: The issuer's identifier, an `https` URL without query and fragment.
    ///   - transport: The transport that the requests use.
    ///   - options: The options of the requests.
    /// - Throws: ``OAuthError``; ``OAuthError/issuerMismatch(expected:found:)`` if the metadata names another issuer.
    public static func discover(
        issuer: String,
        over transport: any Transport,
        options: TransportOptions = TransportOptions()
    ) async throws(OAuthError) -> OAuthServer {
        let base = try Endpoint(issuer)
        // A terminating slash is removed (RFC 8414 §3.1, OpenID Connect Discovery §4.1).
        let path = base.path.hasSuffix("/") ? String(base.path.dropLast()) : base.path
        let places = [
            // The well-known part precedes the issuer's path (RFC 8414 §3.1); OpenID's follows it.
            "/.well-known/oauth-authorization-server\(path)", "\(path)/.well-known/openid-configuration",
        ]
        var status = 0
        for place in places {
            var request = TransportRequest(base.head(.get, path: place), options: options)
            request.head.headerFields[.accept] = "application/json"
            let answer = try await OAuthExchange.send(request, over: transport)
            status = answer.status
            guard status == 200 else { continue }
            let server = try answer.decoded(OAuthServer.self, as: "the metadata")
            guard server.issuer == issuer else {
                throw .issuerMismatch(expected: issuer, found: server.issuer ?? "missing")
            }
            return server
        }
        throw .malformedResponse("\(issuer) has no metadata (status \(status))")
    }

    func endpoint(_ name: String, _ text: String?) throws(OAuthError) -> Endpoint {
        guard let text else { throw .missingEndpoint(name) }
        return try Endpoint(text)
    }
}
