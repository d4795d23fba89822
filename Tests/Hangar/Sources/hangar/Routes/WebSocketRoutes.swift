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
