public import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// A client of an OAuth 2.0 authorization server (RFC 6749), which gets tokens by the grants of this module.
///
/// ```swift
/// let server = try await OAuthServer.discover(issuer: "https://login.example.com", over: SocketTransport())
/// let client = OAuthClient(id: "wing", authentication: .basic(secret: "…"), server: server, over: SocketTransport())
/// let token = try await client.clientCredentials(scope: "flights:read")
/// ```
///
/// Requests to the server use the transport directly, without the interceptors of a session.
public struct OAuthClient: Sendable {
    /// The client's identifier (RFC 6749 §2.2).
    public let id: String
    /// The client's authentication at the token endpoint.
    public let authentication: ClientAuthentication
    /// The endpoints of the server.
    public let server: OAuthServer
    /// The transport that requests to the server use.
    public let transport: any Transport
    /// The options of the requests to the server.
    public let options: TransportOptions
    /// The key that tokens are bound to (RFC 9449); `nil` for bearer tokens.
    public let proofKey: DPoPKey?

    /// Describes a client.
    ///
    /// - Parameters:
    ///   - id: The client's identifier.
    ///   - authentication: The client's authentication at the token endpoint.
    ///   - server: The endpoints of the server.
    ///   - transport: The transport that requests to the server use.
    ///   - options: The options of the requests to the server.
    ///   - proofKey: The key that tokens are bound to; `nil` for bearer tokens.
    public init(
        id: String,
        authentication: ClientAuthentication = .none,
        server: OAuthServer,
        over transport: any Transport,
        options: TransportOptions = TransportOptions(),
        proofKey: DPoPKey? = nil
    ) {
        self.id = id
        self.authentication = authentication
        self.server = server
        self.transport = transport
        self.options = options
        self.proofKey = proofKey
    }

    /// Gets a token for the client itself (RFC 6749 §4.4).
    ///
    /// - Parameter scope: The scope to request: space-separated names; `nil` for the server's default (RFC 6749 §3.3).
    /// - Throws: ``OAuthError``.
    public func clientCredentials(scope: String? = nil) async throws(OAuthError) -> OAuthToken {
        try await token(FormParameters([("grant_type", "client_credentials"), ("scope", scope)]))
    }

    /// Gets a new token for an older one (RFC 6749 §6). The refresh token is kept if the server issues no new one.
    ///
    /// - Parameters:
    ///   - token: The older token.
    ///   - scope: A narrower scope to request; `nil` for the same one.
    /// - Throws: ``OAuthError/missingRefreshToken`` if there is none, and any other ``OAuthError``.
    public func refresh(_ token: OAuthToken, scope: String? = nil) async throws(OAuthError) -> OAuthToken {
        guard let refreshToken = token.refreshToken else { throw .missingRefreshToken }
        let parameters = FormParameters([
            ("grant_type", "refresh_token"), ("refresh_token", refreshToken), ("scope", scope),
        ])
        return try await self.token(parameters).keepingRefreshToken(of: token)
    }

    // MARK: The token endpoint

    /// Sends a request to the token endpoint.
    func token(_ parameters: FormParameters) async throws(OAuthError) -> OAuthToken {
        let endpoint = try server.endpoint("token_endpoint", server.tokenEndpoint)
        let clock = transport.clock
        // Counts from the start of the request, so that the token is refreshed early rather than late.
        let start = clock.date(at: clock.now)
        let answer = try await post(parameters, to: endpoint)
        guard answer.status == 200 else { throw answer.error }
        return try answer.decoded(TokenWords.self, as: "the token").token(issuedAt: start)
    }

    /// Sends parameters with the client's authentication and, with a key, a proof of possession. If the server demands
    /// a nonce, the request is repeated with it (RFC 9449 §8).
    func post(_ parameters: FormParameters, to endpoint: Endpoint) async throws(OAuthError) -> OAuthExchange.Answer {
        var request = TransportRequest(endpoint.head(.post), options: options)
        request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        request.head.headerFields[.accept] = "application/json"
        var parameters = parameters
        switch authentication {
        case .none: parameters.add("client_id", id)
        case .basic(let secret):
            let pair = "\(FormParameters.encode(id)):\(FormParameters.encode(secret))"
            request.head.headerFields[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        case .post(let secret):
            parameters.add("client_id", id)
            parameters.add("client_secret", secret)
        }
        request.body = .bytes(Data(parameters.encoded.utf8))
        guard let proofKey else { return try await OAuthExchange.send(request, over: transport) }
        var mayRepeat = true
        while true {
            let nonce = Origin(request.head).flatMap { proofKey.nonces.nonce(of: $0) }
            try proofKey.addProof(to: &request, nonce: nonce, on: transport.clock)
            let answer = try await OAuthExchange.send(request, over: transport)
            let fresh = proofKey.nonces.take(answer.fields, from: request.head)
            guard mayRepeat, fresh != nil, answer.status == 400, answer.error.serverCode == "use_dpop_nonce" else {
                return answer
            }
            mayRepeat = false
            request.beginNewExchange()
        }
    }
}

extension OAuthClient: CustomStringConvertible {
    /// The client's identifier and its server; no secret.
    public var description: String { "OAuth client \(id) of \(server.issuer ?? server.tokenEndpoint ?? "a server")" }
}

/// A token as the server sends it (RFC 6749 §5.1).
private struct TokenWords: Decodable {
    let accessToken: String
    let type: String
    let refreshToken: String?
    let scope: String?
    let lifetime: Seconds?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case type = "token_type"
        case refreshToken = "refresh_token"
        case scope
        case lifetime = "expires_in"
    }

    /// A number, which some servers send as a string.
    struct Seconds: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
            } else {
                let text = try container.decode(String.self)
                guard let number = Double(text) else {
                    throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
                }
                value = number
            }
        }
    }

    func token(issuedAt date: Date) throws(OAuthError) -> OAuthToken {
        guard ["bearer", "dpop"].contains(type.lowercased()) else {
            throw .malformedResponse("the token's type is \(type), and only Bearer and DPoP are supported")
        }
        guard !accessToken.isEmpty, accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformedResponse("the access token has characters that a header field cannot carry")
        }
        let seconds = lifetime.map(\.value).flatMap { $0.isFinite ? min(max($0, 0), 1e10) : nil }
        return OAuthToken(
            accessToken: accessToken, type: type, refreshToken: refreshToken, scope: scope,
            expiration: seconds.map { date.addingTimeInterval($0) }
        )
    }
}
