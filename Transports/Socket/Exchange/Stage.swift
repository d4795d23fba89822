internal import AirframeTransport

/// How far an exchange has come.
enum Stage {
    /// Waiting for a connection.
    case pool
    case resolve
    case connect
    /// Connected to a proxy, which does its part.
    case proxy
    case tls
    /// The request is on its way out.
    case send
    /// The request is out, nothing has come back.
    case respond
    /// The response's head is on its way in.
    case head
    case body

    /// The phase that errors name.
    var phase: TransportPhase {
        switch self {
        case .pool: .pool
        case .resolve: .resolve
        case .connect: .connect
        case .proxy: .proxy
        case .tls: .tls
        case .send: .requestBody
        case .respond, .head: .responseHead
        case .body: .responseBody
        }
    }
}
