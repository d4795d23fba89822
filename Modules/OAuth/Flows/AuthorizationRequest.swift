internal import AirframeTransport
public import Foundation

/// A request that a user answers in a browser: the authorization code grant (RFC 6749 §4.1) with PKCE (RFC 7636).
///
/// Open ``url`` in a browser. The server redirects the browser to ``redirectURI``; pass the URL of the redirect to
/// ``OAuthClient/token(for:redirectedTo:)``. A request is valid for one answer.
public struct AuthorizationRequest: Sendable {
    /// The URL for the browser.
    public let url: URL
    /// The URI that the server redirects the browser to.
    public let redirectURI: String

    let state: String
    let verifier: String
}

extension AuthorizationRequest {
    /// Returns the value of a parameter of a redirect; `nil` if it is missing, or repeated, which is an error (RFC 6749
    /// §3.1).
    static func parameter(_ name: String, of redirect: URL) -> String? {
        let items = URLComponents(url: redirect, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems ?? []
        let values = items.filter { $0.name == name }
        // As forms encode it (RFC 6749 §4.1.2): a plus is a space.
        return values.count == 1 ? values[0].value?.replacing("+", with: " ").removingPercentEncoding : nil
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomReflectable {
    /// The redirect URI.
    public var description: String { "authorization request, answered at \(redirectURI)" }

    /// The redirect URI, so that a dump does not show the verifier.
    public var customMirror: Mirror { Mirror(self, children: ["redirectURI": redirectURI]) }
}

extension OAuthClient {
    /// Creates a request for a user's authorization, with a new state and a new verifier.
    ///
    /// - Parameters:
    ///   - redirectURI: The URI that the server redirects the browser to, as registered with the server.
    ///   - scope: The scope to request: space-separated names; `nil` for the server's default (RFC 6749 §3.3).
    ///   - parameters: Further parameters, such as `prompt` or `resource`.
    /// - Throws: ``OAuthError``; ``OAuthError/malformedResponse(_:)`` if the server does not support PKCE with S256.
    public func authorizationRequest(
        redirectURI: String,
        scope: String? = nil,
        parameters: [String: String] = [:]
    ) throws(OAuthError) -> AuthorizationRequest {
        let endpoint = try server.endpoint("authorization_endpoint", server.authorizationEndpoint)
        if let methods = server.codeChallengeMethodsSupported, !methods.contains("S256") {
            throw .malformedResponse("the server does not support PKCE with S256, which protects the code")
        }
        // 43 and 22 characters (RFC 7636 §4.1 demands at least 43).
        let (verifier, state) = (Base64URL.random(32), Base64URL.random(16))
        var form = FormParameters([
            ("response_type", "code"), ("client_id", id), ("redirect_uri", redirectURI), ("scope", scope),
            ("state", state), ("code_challenge", try Base64URL.hash(of: verifier)), ("code_challenge_method", "S256"),
            ("dpop_jkt", proofKey?.thumbprint),
        ])
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { form.add(name, value) }
        let separator = endpoint.target.contains("?") ? "&" : "?"
        let text = "\(endpoint.scheme)://\(endpoint.authority)\(endpoint.target)\(separator)\(form.encoded)"
        guard let url = URL(string: text) else {
            throw .malformedResponse("\(endpoint.authority) is not a valid authorization URL")
        }
        return AuthorizationRequest(url: url, redirectURI: redirectURI, state: state, verifier: verifier)
    }

    /// Exchanges the code of a redirect for a token (RFC 6749 §4.1.3).
    ///
    /// - Parameters:
    ///   - request: The request that the user answered.
    ///   - redirect: The URL that the server redirected the browser to.
    /// - Throws: ``OAuthError/stateMismatch`` for the redirect of another request, ``OAuthError/server(_:)`` when the
    ///   user or the server refused, any other ``OAuthError``.
    public func token(
        for request: AuthorizationRequest,
        redirectedTo redirect: URL
    ) async throws(OAuthError) -> OAuthToken {
        func value(_ name: String) -> String? { AuthorizationRequest.parameter(name, of: redirect) }
        guard value("state") == request.state else { throw .stateMismatch }
        if let issuer = server.issuer {
            let found = value("iss")
            guard found == issuer || (found == nil && server.authorizationResponseIssParameterSupported != true) else {
                throw .issuerMismatch(expected: issuer, found: found ?? "missing")
            }
        }
        if let code = value("error") {
            throw .server(OAuthServerError(code: code, details: value("error_description"), uri: value("error_uri")))
        }
        guard let code = value("code") else { throw .malformedResponse("the redirect has neither a code nor an error") }
        return try await token(
            FormParameters([
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", request.redirectURI),
                ("code_verifier", request.verifier),
            ]))
    }
}
