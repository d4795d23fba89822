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
    ///   - decoder: The decoder for the bytes of texts and binary messages.
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
    /// The content; a text in UTF-8.
    package var bytes: Data {
        switch self {
        case .data(let data): data
        case .string(let text): Data(text.utf8)
        }
    }

    init(_ kind: MessageKind, _ data: Data) {
        // The message decoder has validated the text.
        self = kind == .text ? .string(String(decoding: data, as: UTF8.self)) : .data(data)
    }
}

extension Data {
    /// The data with indices from 0.
    var rebased: Data { startIndex == 0 ? self : Data(self) }
}

extension WebSocketConnection {
    /// Returns the next message as a whole.
    func nextMessage() async throws -> WebSocket.Message? {
        try await whileReceiving {
            guard let begin = try await nextBeginning() else { return nil }
            switch begin {
            case .message(let kind, let data):
                guard data.count <= configuration.maximumMessageSize else { throw tooBig() }
                if observer != nil { note(.received, kind == .text ? .text : .binary, data.rebased) }
                return WebSocket.Message(kind, data)
            case .start(let kind):
                guard let data = try await rest() else { return nil }
                note(.received, kind == .text ? .text : .binary, data)
                return WebSocket.Message(kind, data)
            default: return nil
            }
        }
    }

    /// Runs `read` with the right to take messages, and closes the connection if the task is cancelled.
    func whileReceiving<Value>(_ read: () async throws -> Value) async throws -> Value {
        do {
            if !receiving.tryTake() { try await receiving.take() }
            defer { receiving.giveBack() }
            return try await read()
        } catch let error as CancellationError {
            leave()
            throw error
        }
    }

    /// Skips to the beginning of the next message.
    func nextBeginning() async throws -> MessageDecoder.Event? {
        while let event = try await nextEvent() {
            switch event {
            case .message, .start: return event
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
