package import HTTPTypes

/// The protocol that a request asks to speak on its connection once the peer agrees.
///
/// The engine phrases the request for the HTTP version in use: `Upgrade` and `101` (RFC 9110 §7.8), `CONNECT`
/// (RFC 9110 §9.3.6) or extended `CONNECT` (RFC 8441). The handshake is an ordinary exchange, so it passes all layers:
/// cookies, authentication, redirects, logs. A peer that agrees answers with ``TransportResponse/stream``; a peer that
/// declines sends an ordinary response.
///
/// ```swift
/// var request = TransportRequest(head)
/// request.upgrade = .webSocket
/// let response = try await transport.send(request)
/// guard let stream = response.stream else { throw HandshakeDeclined(response.head.status) }
/// ```
public enum UpgradeProtocol: Sendable, Hashable {
    /// The protocol with this token in IANA's registry of upgrade tokens, such as `websocket`.
    case token(String)

    /// A tunnel to an authority, `host:port`. The request's own scheme and authority name the proxy that opens it.
    case tunnel(to: String)

    /// WebSocket (RFC 6455)
    public static let webSocket = UpgradeProtocol.token("websocket")
}

extension UpgradeProtocol {
    /// The reason why a request for an upgrade cannot be sent.
    package struct InvalidHandshake: Error {
        package let message: String
    }

    /// Returns the head of the handshake over HTTP/1.1.
    ///
    /// - Parameter request: The request that asks for the upgrade.
    /// - Throws: ``InvalidHandshake`` if `request` has content or an `Upgrade` field, or if this protocol's token or
    ///   authority is malformed.
    package func http1Head(of request: borrowing TransportRequest) throws(InvalidHandshake) -> HTTPRequest {
        guard request.body.isNone else {
            throw InvalidHandshake(message: "a request for an upgrade cannot have content")
        }
        var head = request.head
        guard !head.headerFields.contains(.upgrade) else {
            throw InvalidHandshake(message: "the request sets both `upgrade` and an Upgrade field: leave the field out")
        }
        switch self {
        case .token(let token):
            guard Self.isProtocolName(token) else {
                throw InvalidHandshake(message: "\(token.debugDescription) is not an upgrade token (RFC 9110 §7.8)")
            }
            guard head.method != .connect else {
                throw InvalidHandshake(message: "CONNECT opens a tunnel and cannot upgrade to \(token)")
            }
            head.headerFields[.upgrade] = token
        case .tunnel(let authority):
            guard Self.namesHostAndPort(authority) else {
                let message = "a tunnel needs a host and a port (RFC 9110 §9.3.6), not \(authority.debugDescription)"
                throw InvalidHandshake(message: message)
            }
            head.method = .connect
            head.authority = authority
            head.path = nil
        }
        return head
    }

    /// Returns whether a response with `head` switches to this protocol, and not to another one of the peer's choice.
    package func isAccepted(by head: HTTPResponse) -> Bool {
        guard case .token(let token) = self else { return true }
        let names = head.headerFields[values: .upgrade].flatMap { $0.split(separator: ",") }
        return names.contains { name in
            name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() == token.lowercased()
        }
    }

    /// Whether `text` is a token, or two with a slash between: a name and a version (RFC 9110 §7.8).
    private static func isProtocolName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && HTTPField.Name(String(Substring($0))) != nil }
    }

    private static func namesHostAndPort(_ authority: String) -> Bool {
        guard let origin = Origin(scheme: "http", authority: authority), !origin.host.isEmpty else { return false }
        let digits = authority.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return !digits.isEmpty && authority.utf8.dropLast(digits.count).last == UInt8(ascii: ":")
            && !authority.utf8.contains(UInt8(ascii: "@"))
    }
}
