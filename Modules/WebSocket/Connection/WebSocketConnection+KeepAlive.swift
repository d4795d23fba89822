internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Synchronization

extension WebSocketConnection {
    /// Pings the server at intervals, if the configuration says so, for as long as the connection is there.
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

    /// Pings once, and gives the connection up if no pong comes.
    private func answersPing(within timeout: Duration) async -> Bool {
        let limit = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: timeout)) != nil, let self else { return }
            // Messages that nobody reads stand before the pong: their server is alive.
            guard state.withLock({ $0.inboxSize < configuration.maximumBufferedSize }) else { return }
            abort(
                WebSocketError(
                    .keepAliveTimedOut,
                    closeCode: .abnormalClosure,
                    message: "no pong came within \(timeout)",
                    origin: agreement.origin
                ))
        }
        defer { limit.cancel() }
        return (try? await ping()) != nil
    }
}
