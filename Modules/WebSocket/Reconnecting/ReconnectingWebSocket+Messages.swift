extension ReconnectingWebSocket {
    /// The messages of all connections, in order.
    ///
    /// The sequence ends when the server closes with code 1000, or after ``close(code:reason:)``. It throws when the
    /// policy gives up.
    public var messages: Messages { Messages(socket: self) }

    /// The messages of all connections.
    public struct Messages: AsyncSequence, Sendable {
        let socket: ReconnectingWebSocket

        /// Returns an iterator over the unread messages.
        public func makeAsyncIterator() -> Iterator { Iterator(socket: socket) }

        /// An iterator over the messages of all connections.
        public struct Iterator: AsyncIteratorProtocol {
            let socket: ReconnectingWebSocket

            /// Returns the next message; `nil` after an orderly end.
            ///
            /// - Throws: The error that ended the attempts to connect, or `CancellationError`. Cancelling closes the
            ///   socket.
            public mutating func next() async throws -> WebSocket.Message? {
                try await withTaskCancellationHandler { [socket] in
                    try await Self.next(of: socket)
                } onCancel: { [socket] in
                    socket.abandon()
                }
            }

            private static func next(of socket: ReconnectingWebSocket) async throws -> WebSocket.Message? {
                while true {
                    let connection: WebSocket
                    do {
                        connection = try await socket.connected()
                    } catch let error as WebSocketError where error.code == .closedLocally {
                        return nil
                    }
                    do {
                        if let message = try await connection.connection.nextMessage() {
                            socket.noteAlive()
                            return message
                        }
                        socket.lose(connection, nil)
                    } catch let error as WebSocketError {
                        socket.lose(connection, error)
                    }
                }
            }
        }
    }
}
