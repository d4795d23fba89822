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

    /// Sends one ping, and ends the connection if there is no pong in time.
    private func answersPing(within timeout: Duration) async -> Bool {
        let limit = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: timeout)) != nil, let self else { return }
            // Unread messages may precede the pong; they show that the server is alive.
            guard state.withLock({ $0.inboxSize < maximumBufferedSize }) else { return }
            abort(
                WebSocketError(
                    .keepAliveTimedOut,
                    closeCode: .abnormalClosure,
                    message: "the server sent no pong within \(timeout)",
                    origin: agreement.origin
                ))
        }
        defer { limit.cancel() }
        return (try? await ping()) != nil
    }
}
