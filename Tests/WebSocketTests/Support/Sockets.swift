import AirframeCore
import AirframeMock
import AirframeTransport
import AirframeWebSocket
import Foundation
import HTTPTypes

/// A WebSocket to a mock's server, and the session that it belongs to.
struct OpenSocket {
    let socket: WebSocket
    let session: Session
    let mock: MockTransport

    init(
        _ configuration: WebSocket.Configuration = WebSocket.Configuration(),
        protocol name: String? = nil,
        serve: @escaping Reply.WebSocketHandler
    ) async throws {
        mock = MockTransport { Route(.get, "/socket").reply(.webSocket(protocol: name, serve)) }
        session = Session(transport: mock)
        socket = try await session.webSocket("ws://api.test/socket", configuration: configuration)
    }
}

/// Sends back every message.
func echo(_ client: MockWebSocketPeer) async throws {
    while let message = try await client.receive() { try await client.send(message) }
}

extension Session {
    /// A session without layers but its own.
    convenience init(transport: some Transport, interceptor: (any RequestInterceptor)? = nil) {
        self.init(composed: transport, interceptor: interceptor)
    }
}

/// The events of a test, in order.
actor Diary {
    private(set) var entries: [String] = []

    func note(_ entry: String) { entries.append(entry) }
}
