internal import AirframeCore
internal import AirframeWebSocketProtocol
public import Foundation
internal import Synchronization

extension WebSocket {
    /// The messages from the server as streams of bytes, for messages that do not fit into memory.
    ///
    /// ```swift
    /// for try await message in socket.incomingMessages {
    ///     for try await chunk in message { try file.write(contentsOf: chunk) }
    /// }
    /// ```
    ///
    /// The unread rest of a message is skipped when the next message is read.
    public var incomingMessages: IncomingMessages { IncomingMessages(connection: connection) }

    /// The messages of a WebSocket, as streams.
    public struct IncomingMessages: AsyncSequence, Sendable {
        let connection: WebSocketConnection

        /// Returns an iterator over the unread messages.
        public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        /// An iterator over messages.
        public struct Iterator: AsyncIteratorProtocol {
            let connection: WebSocketConnection
            private var last: IncomingMessage?

            init(connection: WebSocketConnection) { self.connection = connection }

            /// Returns the next message as soon as it begins; `nil` after an orderly end.
            ///
            /// - Throws: ``WebSocketError``, or `CancellationError`; cancelling closes the connection.
            public mutating func next() async throws -> IncomingMessage? {
                last?.skip()
                last = try await connection.nextIncomingMessage()
                return last
            }
        }
    }

    /// A message as a stream of its bytes, in pieces of any size. It can be read once.
    public final class IncomingMessage: AsyncSequence, Sendable {
        /// The kind of a message (RFC 6455 §5.6).
        public enum Kind: Sendable, Hashable {
            /// UTF-8, validated as it arrives. A character may be split between two pieces.
            case text
            /// Arbitrary bytes.
            case binary
        }

        private enum Rest {
            /// A message that arrived as a whole.
            case whole(Data)
            case pieces(length: Int)
            case over
        }

        /// The kind.
        public let kind: Kind
        private let connection: WebSocketConnection
        // Guards the unread rest of the message.
        private let rest: Mutex<Rest>

        init(_ kind: MessageKind, whole: Data?, _ connection: WebSocketConnection) {
            self.kind = kind == .text ? .text : .binary
            self.connection = connection
            rest = Mutex(whole.map { .whole($0) } ?? .pieces(length: 0))
        }

        /// Returns an iterator over the unread bytes.
        public func makeAsyncIterator() -> Iterator { Iterator(message: self) }

        /// An iterator over the bytes of a message.
        public struct Iterator: AsyncIteratorProtocol {
            let message: IncomingMessage

            /// Returns the next bytes; `nil` at the end of the message.
            ///
            /// - Throws: ``WebSocketError``, or `CancellationError`; cancelling closes the connection.
            public mutating func next() async throws -> Data? { try await message.next() }
        }

        /// Ends the message, because the reader has moved on to the next one.
        func skip() { rest.withLock { $0 = .over } }

        private func next() async throws -> Data? {
            let (whole, isOver) = rest.withLock { rest -> (Data?, Bool) in
                switch rest {
                case .whole(let data):
                    rest = .over
                    return (data.isEmpty ? nil : data, true)
                case .pieces: return (nil, false)
                case .over: return (nil, true)
                }
            }
            guard !isOver else { return whole }
            let event = try await connection.whileReceiving { try await self.connection.nextEvent() }
            switch event {
            case .piece(let data)?:
                rest.withLock { if case .pieces(let length) = $0 { $0 = .pieces(length: length + data.count) } }
                return data
            case .end?:
                note()
                return nil
            default: throw WebSocketError.lost("the connection ended within a message", connection.agreement.origin)
            }
        }

        private func note() {
            let length = rest.withLock { rest -> Int in
                defer { rest = .over }
                guard case .pieces(let length) = rest else { return 0 }
                return length
            }
            connection.note(.received, kind == .text ? .text : .binary, nil, length: length)
        }
    }
}

extension WebSocketConnection {
    fileprivate func nextIncomingMessage() async throws -> WebSocket.IncomingMessage? {
        try await whileReceiving {
            switch try await nextBeginning() {
            case .text(let text)?: return whole(.text, Data(text.utf8))
            case .binary(let data)?: return whole(.binary, data)
            case .start(let kind)?: return WebSocket.IncomingMessage(kind, whole: nil, self)
            default: return nil
            }
        }
    }

    private func whole(_ kind: MessageKind, _ data: Data) -> WebSocket.IncomingMessage {
        note(.received, kind == .text ? .text : .binary, data)
        return WebSocket.IncomingMessage(kind, whole: data, self)
    }
}
