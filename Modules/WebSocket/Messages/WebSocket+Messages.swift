public import AirframeCore
public import AirframeSerialization
internal import AirframeWebSocketProtocol
public import Foundation

extension WebSocket {
    /// The messages from the server, each as a whole.
    ///
    /// The sequence ends when the server closes the connection with code 1000, 1001 or none, or after
    /// ``close(code:reason:)``. It throws ``WebSocketError`` for every other end. With several readers, each message
    /// goes to one of them.
    public var messages: Messages { Messages(connection: connection) }

    /// Returns the messages from the server, decoded.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder for the bytes of text and binary messages.
    /// - Returns: A sequence like ``messages``. A message that cannot be decoded ends it with
    ///   ``WebSocketError/Code/decodingFailed``; the connection stays open.
    public func messages<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        decoder: any DataDecoder = JSONDecoder()
    ) -> DecodedMessages<Value> {
        DecodedMessages(messages: messages, decoder: decoder)
    }

    /// The messages of a WebSocket.
    public struct Messages: AsyncSequence, Sendable {
        let connection: WebSocketConnection

        /// Returns an iterator over the unread messages.
        public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        /// An iterator over messages.
        public struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketConnection

            /// Returns the next message; `nil` after an orderly end.
            ///
            /// - Throws: ``WebSocketError``, or `CancellationError`; cancelling closes the connection.
            public mutating func next() async throws -> Message? { try await connection.nextMessage() }
        }
    }

    /// The messages of a WebSocket, decoded.
    public struct DecodedMessages<Value: Decodable & Sendable>: AsyncSequence, Sendable {
        let messages: Messages
        let decoder: any DataDecoder

        /// Returns an iterator over the unread messages.
        public func makeAsyncIterator() -> Iterator {
            Iterator(messages: messages.makeAsyncIterator(), decoder: decoder)
        }

        /// An iterator that decodes messages.
        public struct Iterator: AsyncIteratorProtocol {
            var messages: Messages.Iterator
            let decoder: any DataDecoder

            /// Returns the next message, decoded; `nil` after an orderly end.
            ///
            /// - Throws: ``WebSocketError``, or `CancellationError`; cancelling closes the connection.
            public mutating func next() async throws -> Value? {
                guard let message = try await messages.next() else { return nil }
                do {
                    return try decoder.decodeContent(Value.self, from: message.bytes)
                } catch {
                    throw WebSocketError(
                        .decodingFailed,
                        message: "a \(message) cannot be decoded as \(Value.self)",
                        origin: messages.connection.agreement.origin,
                        underlying: error
                    )
                }
            }
        }
    }
}

extension WebSocket.Message {
    /// The content; that of a text message is UTF-8.
    package var bytes: Data {
        switch self {
        case .data(let data): data
        case .string(let text): Data(text.utf8)
        }
    }
}

extension WebSocketConnection {
    /// Returns the next message as a whole. Closes the connection if the task is cancelled.
    ///
    /// Spelled without ``whileReceiving(_:)``, whose closure would be one more asynchronous call.
    func nextMessage() async throws -> WebSocket.Message? {
        if !receiving.tryTake() { try await takeTurn() }
        defer { receiving.giveBack() }
        do {
            while let event = try await nextEvent() {
                switch event {
                case .text(let text): return try whole(text)
                case .binary(let data): return try whole(data)
                case .start(let kind): return try await message(kind)
                case .piece, .end, .ping, .pong, .close: continue
                }
            }
            return nil
        } catch {
            throw leaving(after: error)
        }
    }

    private func whole(_ text: String) throws -> WebSocket.Message {
        guard text.utf8.count <= configuration.maximumMessageSize else { throw tooBig() }
        if observer != nil { note(.received, .text, Data(text.utf8)) }
        return .string(text)
    }

    private func whole(_ data: Data) throws -> WebSocket.Message {
        guard data.count <= configuration.maximumMessageSize else { throw tooBig() }
        note(.received, .binary, data)
        return .data(data)
    }

    /// Returns a message that arrives in pieces.
    @inline(never)
    private func message(_ kind: MessageKind) async throws -> WebSocket.Message? {
        guard let data = try await rest() else { return nil }
        note(.received, kind == .text ? .text : .binary, data)
        // The message decoder has validated the text.
        return kind == .text ? .string(String(decoding: data, as: UTF8.self)) : .data(data)
    }

    /// Runs `read` with the right to take messages, and closes the connection if the task is cancelled.
    func whileReceiving<Value>(_ read: () async throws -> Value) async throws -> Value {
        if !receiving.tryTake() { try await takeTurn() }
        defer { receiving.giveBack() }
        do {
            return try await read()
        } catch {
            throw leaving(after: error)
        }
    }

    @inline(never)
    private func takeTurn() async throws {
        do {
            try await receiving.take()
        } catch {
            throw leaving(after: error)
        }
    }

    /// Closes the connection if `error` is a cancellation. Returns `error`.
    ///
    /// Not inlined: an asynchronous function allocates memory for a `CancellationError` whenever it is called.
    @inline(never)
    private func leaving(after error: any Error) -> any Error {
        if error is CancellationError { leave() }
        return error
    }

    /// Skips to the beginning of the next message.
    func nextBeginning() async throws -> MessageDecoder.Event? {
        while let event = try await nextEvent() {
            switch event {
            case .text, .binary, .start: return event
            default: continue
            }
        }
        return nil
    }

    /// Returns the rest of a message that arrives in pieces.
    private func rest() async throws -> Data? {
        var data = Data()
        while let event = try await nextEvent() {
            switch event {
            case .piece(let piece):
                guard data.count + piece.count <= configuration.maximumMessageSize else { throw tooBig() }
                data.append(piece)
            default: return data
            }
        }
        return nil
    }

    private func tooBig() -> WebSocketError {
        let violation = ProtocolViolation.tooBig(
            "a message is longer than \(configuration.maximumMessageSize) bytes, the maximumMessageSize")
        refuse(violation)
        return WebSocketError(violation, agreement.origin)
    }
}
