import AirframeOAuth
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes

/// The authorization server of Tests/Peers, with the requests that tests send to it in addition to token requests.
struct AuthorizationServer {
    let origin: String
    let transport: any Transport

    init(over engine: TestedEngine) throws {
        origin = try Peers.required().http("oauth")
        transport = engine.transport
    }

    var server: OAuthServer {
        get async throws { try await OAuthServer.discover(issuer: origin, over: transport, options: .direct) }
    }

    /// The client with a secret.
    func confidential(
        _ authentication: ClientAuthentication = .basic(secret: "s3:cret"),
        proofKey: DPoPKey? = nil
    ) async throws -> OAuthClient {
        OAuthClient(
            id: "confidential", authentication: authentication, server: try await server, over: transport,
            options: .direct, proofKey: proofKey)
    }

    /// The client without a secret.
    func publicClient(proofKey: DPoPKey? = nil) async throws -> OAuthClient {
        OAuthClient(id: "public", server: try await server, over: transport, options: .direct, proofKey: proofKey)
    }

    /// Acts as the browser: returns the URL that the server redirects to.
    func redirect(of request: AuthorizationRequest) async throws -> URL? {
        let path = request.url.absoluteString.dropFirst(origin.utf8.count)
        let response = try await send(.get, String(path))
        return response.head.headerFields[.location].flatMap { URL(string: $0) }
    }

    @discardableResult
    func send(_ method: HTTPRequest.Method, _ path: String) async throws -> TransportResponse {
        let authority = String(origin.dropFirst("http://".utf8.count))
        let head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        let response = try await transport.send(TransportRequest(head, options: .direct))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response
    }
}
