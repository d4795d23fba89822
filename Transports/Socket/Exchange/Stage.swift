internal import AirframeTransport

/// The stage of an exchange.
enum Stage {
    /// Waiting for a connection.
    case pool
    case resolve
    case connect
    /// Connected to a proxy, which connects to the origin.
    case proxy
    case tls
    /// The request is being sent.
    case send
    /// The request is sent, and no byte of a response has arrived since the last informational one.
    case respond
    /// Part of the response head has arrived.
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
