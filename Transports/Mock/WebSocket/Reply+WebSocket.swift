public import HTTPTypes

extension Reply {
    /// Plays the server of a WebSocket. When it returns, the server closes the connection with code 1000; an error that
    /// it throws breaks the connection.
    public typealias WebSocketHandler = @Sendable (MockWebSocketPeer) async throws -> Void

    /// Opens a WebSocket (RFC 6455 §4.2.2) and plays its server.
    ///
    /// ```swift
    /// Route(.get, "/echo").reply(.webSocket { client in
    ///     while let message = try await client.receive() { try await client.send(message) }
    /// })
    /// ```
    ///
    /// The head answers the request's key. The server takes no extension.
    ///
    /// - Parameters:
    ///   - name: The application protocol that the server chooses, if any.
    ///   - headers: Further fields of the head.
    ///   - serve: Plays the server. It may sleep on the mock's clock.
    public static func webSocket(
        protocol name: String? = nil,
        headers: HTTPFields = [:],
        _ serve: @escaping WebSocketHandler
    ) -> Reply {
        var plan = ReplyPlan(status: .switchingProtocols, fields: headers)
        plan.fields[.upgrade] = "websocket"
        plan.fields[.connection] = "upgrade"
        if let name { plan.fields[.secWebSocketProtocol] = name }
        plan.framing = .open
        plan.answersWebSocketKey = true
        plan.serve = { stream in
            let peer = MockWebSocketPeer(stream)
            try await serve(peer)
            try await peer.finish()
        }
        return Reply(plan)
    }
}
