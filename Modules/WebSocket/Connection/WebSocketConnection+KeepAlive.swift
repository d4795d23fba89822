internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Synchronization

extension WebSocketConnection {
    /// Pings the server at the configured interval while the connection is open.
    func keepAlive() {
        guard let rule = configuration.keepAlive else { return }
        let task = Task { [clock, weak self] in
            while (try? await clock.sleep(for: rule.interval)) != nil {
                guard let connection = self, await connection.answersPing(within: rule.timeout) else { return }
            }
        }
        let isTooLate = state.withLock { state in
            state.keepAlive = task
            return state.isStreamClosed
        }
        if isTooLate { task.cancel() }
    }

    /// Sends one ping and waits for its pong. Ends the connection if the server is silent meanwhile.
    private func answersPing(within timeout: Duration) async -> Bool {
        let beginning = state.withLock { $0.activity }
        let limit = Task { [clock, weak self] in
            var last = beginning
            while (try? await clock.sleep(for: timeout)) != nil, let connection = self {
                let size = connection.maximumBufferedSize
                let (activity, isFull) = connection.state.withLock { ($0.activity, $0.inboxSize >= size) }
                // Bytes show that the server is alive. Unread messages that fill the inbox may precede more of them.
                guard activity == last, !isFull else {
                    last = activity
                    continue
                }
                connection.abort(
                    WebSocketError(
                        .keepAliveTimedOut,
                        closeCode: .abnormalClosure,
                        message: "the server sent no pong and nothing else within \(timeout)",
                        origin: connection.agreement.origin
                    ))
                return
            }
        }
        defer { limit.cancel() }
        return (try? await ping()) != nil
    }
}
