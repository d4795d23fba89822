internal import AirframeTransport

/// The stage that a transfer has reached.
enum Stage: Comparable {
    /// Waiting for a connection.
    case pool
    case resolve
    case connect
    /// Connected to a proxy, whose response to `CONNECT` or SOCKS handshake is awaited.
    case proxy
    case tls
    /// Sending the request.
    case send
    /// The request has been sent; no byte of a response has arrived since the last informational one.
    case respond
    /// Receiving the response's head.
    case head
    case body
    case over

    var phase: TransportPhase {
        switch self {
        case .pool: .pool
        case .resolve: .resolve
        case .connect: .connect
        case .proxy: .proxy
        case .tls: .tls
        case .send: .requestBody
        case .respond, .head: .responseHead
        case .body, .over: .responseBody
        }
    }

    /// Whether a byte of the request may have been sent.
    var hasSent: Bool { self >= .send }
}
