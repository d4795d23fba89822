import FlyingFox
import Synchronization

extension Router {
    /// WebSocket (RFC 6455), by FlyingFox.
    mutating func addWebSocketRoutes() {
        let echo = WebSocketHTTPHandler(handler: FrameEcho())
        add("GET", path: "/websocket/echo") { call in
            var reply = Reply(body: .upgrade(try await echo.handleRequest(call.request)))
            // The first subprotocol that the client offers is taken (RFC 6455 §4.2.2).
            if let offered = call.field("Sec-WebSocket-Protocol")?.split(separator: ",").first {
                reply.fields = [Field("Sec-WebSocket-Protocol", String(offered))]
            }
            return reply
        }
        let chat = WebSocketHTTPHandler(handler: ChatRoom())
        add("GET", path: "/websocket/chat") { call in Reply(body: .upgrade(try await chat.handleRequest(call.request)))
        }
    }
}

/// Sends each frame back as it came, fragments and empty messages included.
///
/// FlyingFox's own echo works on messages: it drops empty ones and answers a close twice.
private struct FrameEcho: WSHandler {
    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        let conversation = Conversation(client)
        return AsyncStream { await conversation.nextFrame() }
    }

    private final class Conversation: Sendable {
        private let client: AsyncThrowingStream<WSFrame, any Error>
        private let isClosed = Atomic(false)

        init(_ client: AsyncThrowingStream<WSFrame, any Error>) {
            self.client = client
        }

        /// Asked for only when the frame before is written, so a client that does not read is not read from.
        func nextFrame() async -> WSFrame? {
            while !isClosed.load(ordering: .relaxed) {
                var frames = client.makeAsyncIterator()
                guard var frame = try? await frames.next() else { return nil }
                frame.mask = nil
                switch frame.opcode {
                case .pong: continue
                case .ping: frame.opcode = .pong
                case .close: isClosed.store(true, ordering: .relaxed)
                default: break
                }
                return frame
            }
            return nil
        }
    }
}

/// A room: each text of a client goes to all clients, the sender included.
private final class ChatRoom: WSHandler {
    private struct Members {
        var next = 0
        var streams: [Int: AsyncStream<WSFrame>.Continuation] = [:]
    }

    // Guards who is in the room.
    private let members = Mutex(Members())

    func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
        // A member that does not read loses the oldest messages, and holds nobody up.
        let (stream, continuation) = AsyncStream<WSFrame>.makeStream(bufferingPolicy: .bufferingNewest(1000))
        let number = members.withLock { members in
            members.next += 1
            members.streams[members.next] = continuation
            return members.next
        }
        Task {
            await relay(client, to: continuation)
            members.withLock { $0.streams[number] = nil }
            continuation.finish()
        }
        return stream
    }

    private func relay(
        _ client: AsyncThrowingStream<WSFrame, any Error>,
        to own: AsyncStream<WSFrame>.Continuation
    ) async {
        var frames = client.makeAsyncIterator()
        while var frame = try? await frames.next() {
            frame.mask = nil
            switch frame.opcode {
            case .pong: continue
            case .ping:
                frame.opcode = .pong
                own.yield(frame)
            case .close:
                own.yield(frame)
                return
            default: for member in members.withLock({ Array($0.streams.values) }) { member.yield(frame) }
            }
        }
    }
}
