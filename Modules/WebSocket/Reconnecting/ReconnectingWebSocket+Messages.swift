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
            /// The connection of the last message. It is read to its end, even if a sender has found it closed.
            private var connection: WebSocket?

            init(socket: ReconnectingWebSocket) { self.socket = socket }

            /// Returns the next message; `nil` after an orderly end.
            ///
            /// - Throws: The error that ended the attempts to connect, or `CancellationError`. Cancelling closes the
            ///   socket.
            public mutating func next() async throws -> WebSocket.Message? {
                let next = try await withTaskCancellationHandler { [socket, connection] in
                    try await Self.next(of: socket, after: connection)
                } onCancel: { [socket] in
                    socket.abandon()
                }
                connection = next?.connection
                return next?.message
            }

            private static func next(
                of socket: ReconnectingWebSocket,
                after last: WebSocket?
            ) async throws -> (message: WebSocket.Message, connection: WebSocket)? {
                var last = last
                while true {
                    let connection: WebSocket
                    if let last, !socket.isClosedHere {
                        connection = last
                    } else {
                        do {
                            connection = try await socket.connected()
                        } catch let error as WebSocketError where error.code == .closedLocally {
                            return nil
                        }
                    }
                    do {
                        if let message = try await connection.connection.nextMessage() {
                            socket.noteReceived(on: connection)
                            return (message, connection)
                        }
                        socket.lose(connection, nil)
                    } catch let error as WebSocketError {
                        socket.lose(connection, error)
                    }
                    last = nil
                }
            }
        }
    }
}
