internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import HTTPTypes

/// The opening handshake (RFC 6455 §4.1) of one attempt: its request, and the check of the response.
struct WebSocketHandshake: Sendable {
    private let key = HandshakeKey()
    /// The subprotocols that are requested.
    private var protocols: [String]
    private let compression: WebSocket.Compression?

    /// - Throws: ``WebSocketError`` for a subprotocol that is not a token or is repeated.
    init(_ configuration: WebSocket.Configuration) throws(WebSocketError) {
        protocols = configuration.protocols
        compression = configuration.compression
        for (index, name) in protocols.enumerated() {
            guard HTTPField.Name(name) != nil, !protocols[..<index].contains(name) else {
                throw WebSocketError(
                    .handshakeFailed,
                    message: "\(name.debugDescription) is not a subprotocol's name, or is repeated (RFC 6455 §4.1)"
                )
            }
        }
    }

    /// Turns `request` into a handshake. The engine adds the fields that its version of HTTP needs to switch
    /// protocols. Without subprotocols in the configuration, those in the request's own field are requested.
    ///
    /// The key is also sent over HTTP/2, where it has no meaning (RFC 8441 §5), because the version is known only with
    /// the connection.
    mutating func apply(to request: inout TransportRequest) throws(WebSocketError) {
        guard request.head.method == .get else {
            let message = "the handshake is a GET, not a \(request.head.method.rawValue) (RFC 6455 §4.1)"
            throw WebSocketError(.handshakeFailed, message: message, origin: Origin(request.head))
        }
        request.upgrade = .webSocket
        request.head.headerFields[.secWebSocketKey] = key.value
        request.head.headerFields[.secWebSocketVersion] = "13"
        if protocols.isEmpty {
            protocols = request.head.headerFields[values: .secWebSocketProtocol]
                .flatMap { $0.split(separator: ",") }.map { String($0).trimmingSpaces }
        } else {
            request.head.headerFields[.secWebSocketProtocol] = protocols.joined(separator: ", ")
        }
        request.head.headerFields[.secWebSocketExtensions] = compression.map { DeflateParameters.offer($0).text }
    }

    /// Checks the server's response.
    ///
    /// - Throws: ``WebSocketError`` that names the field and the rule.
    func check(_ response: TransportResponse) throws(WebSocketError) -> (protocol: String?, DeflateParameters?) {
        let origin = Origin(response.request)
        func refused(_ message: String) -> WebSocketError {
            WebSocketError(.handshakeFailed, message: message, origin: origin)
        }
        let head = response.head
        guard response.stream != nil else {
            throw WebSocketError(
                .handshakeFailed,
                statusCode: head.status.code,
                message: "the server declined the WebSocket with status \(head.status.code) (RFC 6455 §4.2.2)",
                origin: origin
            )
        }
        // Over HTTP/2 a 2xx status completes the handshake (RFC 8441 §5).
        if head.status == .switchingProtocols {
            guard head.headerFields[.secWebSocketAccept]?.trimmingSpaces == key.accept else {
                throw refused("the response's Sec-WebSocket-Accept does not match the request's key (RFC 6455 §4.1)")
            }
        }
        return (try agreedProtocol(head, refused), try agreedCompression(head, origin, refused))
    }

    private func agreedProtocol(
        _ head: HTTPResponse,
        _ refused: (String) -> WebSocketError
    ) throws(WebSocketError) -> String? {
        let chosen = head.headerFields[values: .secWebSocketProtocol]
        guard let name = chosen.first?.trimmingSpaces else { return nil }
        guard chosen.count == 1, protocols.contains(name) else {
            throw refused(
                "the server chose the protocol \(name.debugDescription), which was not requested (RFC 6455 §4.1)")
        }
        return name
    }

    private func agreedCompression(
        _ head: HTTPResponse,
        _ origin: Origin?,
        _ refused: (String) -> WebSocketError
    ) throws(WebSocketError) -> DeflateParameters? {
        let values = head.headerFields[values: .secWebSocketExtensions].joined(separator: ", ")
        guard let answers = ExtensionOffer.list(values) else {
            throw refused("the response's Sec-WebSocket-Extensions is malformed (RFC 6455 §9.1)")
        }
        guard let answer = answers.first else { return nil }
        guard let compression, answers.count == 1, answer.name == DeflateParameters.name else {
            throw refused("the server accepted an extension that was not offered: \(answer.name) (RFC 6455 §4.1)")
        }
        do {
            return try DeflateParameters(answer, to: compression)
        } catch {
            throw WebSocketError(
                .handshakeFailed, closeCode: .mandatoryExtensionMissing, message: error.description, origin: origin)
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String { trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }
}
