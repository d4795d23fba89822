internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// The URL of an endpoint that tokens and codes are sent to.
struct Endpoint: Sendable {
    let scheme: String
    let authority: String
    /// The path with the query, as it is sent.
    let target: String
    /// The path without its query.
    let path: String

    /// - Throws: ``OAuthError/insecureEndpoint(_:)`` unless it is `https`, or `http` to this machine.
    init(_ text: String) throws(OAuthError) {
        guard let components = URLComponents(string: text), let scheme = components.scheme?.lowercased(),
            let host = components.percentEncodedHost, !host.isEmpty
        else { throw .malformedResponse("\(Redaction.url(text)) is not the URL of an endpoint") }
        guard scheme == "https" || (scheme == "http" && Self.isLoopback(host)) else {
            throw .insecureEndpoint(Redaction.url(text))
        }
        self.scheme = scheme
        authority = host + (components.port.map { ":\($0)" } ?? "")
        path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        target = path + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    func head(_ method: HTTPRequest.Method, path: String? = nil) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: path ?? target)
    }

    private static func isLoopback(_ host: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains(host.lowercased())
    }
}
