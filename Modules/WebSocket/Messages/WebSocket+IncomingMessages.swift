internal import AirframeCore
internal import AirframeWebSocketProtocol
public import Foundation
internal import Synchronization

extension WebSocket {
    /// The messages from the server, each as a stream of bytes: for messages that do not fit into memory.
    ///
    /// ```swift
    /// for try await message in socket.incomingMessages {
    ///     for try await chunk in message { try file.write(contentsOf: chunk) }
    /// }
    /// ```
    ///
    /// What was not read of a message is skipped when the next one is asked for.
    public var incomingMessages: IncomingMessages { IncomingMessages(connection: connection) }

    /// The messages of a WebSocket, as streams.
    public struct IncomingMessages: AsyncSequence, Sendable {
        let connection: WebSocketConnection

        /// An iterator over the messages that have not been read.
        public func makeAsyncIterator() -> Iterator { Iterator(connection: connection) }

        /// Reads messages.
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

    /// A message as a stream: its bytes, in pieces of any size. It can be read once.
    public final class IncomingMessage: AsyncSequence, Sendable {
        /// The kind of a message (RFC 6455 §5.6).
        public enum Kind: Sendable, Hashable {
            /// UTF-8, checked as it arrives. A character may lie in two pieces.
            case text
            /// Any bytes.
            case binary
        }

        private enum Rest {
            /// A message that was there as a whole.
            case whole(Data)
            case pieces(length: Int)
            case over
        }

        /// The kind.
        public let kind: Kind
        private let connection: WebSocketConnection
        // Guards what is left of the message.
        private let rest: Mutex<Rest>

        init(_ kind: MessageKind, whole: Data?, _ connection: WebSocketConnection) {
            self.kind = kind == .text ? .text : .binary
            self.connection = connection
            rest = Mutex(whole.map { .whole($0) } ?? .pieces(length: 0))
        }

        /// An iterator over the bytes that have not been read.
        public func makeAsyncIterator() -> Iterator { Iterator(message: self) }

        /// Reads the bytes of a message.
        public struct Iterator: AsyncIteratorProtocol {
            let message: IncomingMessage

            /// Returns the next bytes; `nil` at the end of the message.
            ///
            /// - Throws: ``WebSocketError``, or `CancellationError`; cancelling closes the connection.
            public mutating func next() async throws -> Data? { try await message.next() }
        }

        /// Ends the message: the reader has gone on to the next one.
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
            case .message(let kind, let data)?:
                note(.received, kind == .text ? .text : .binary, data)
                return WebSocket.IncomingMessage(kind, whole: data, self)
            case .start(let kind)?: return WebSocket.IncomingMessage(kind, whole: nil, self)
            default: return nil
            }
        }
    }
}
