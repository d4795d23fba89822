internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import Synchronization

// The closing handshake (RFC 6455 §7.1).

extension WebSocketConnection {
    /// Sends a Close frame and waits for the server's, for at most the time limit.
    func close(_ status: CloseStatus) async {
        beginClosing(status)
        // A task of its own completes the handshake even if the caller's task is cancelled.
        await Task { await self.completeClosing() }.value
    }

    /// Closes the connection without waiting, after the last reference to it is gone.
    func leave() {
        guard state.withLock({ $0.end == nil }) else { return }
        beginClosing(CloseStatus(code: 1001))
        Task { await self.completeClosing() }
    }

    private func beginClosing(_ status: CloseStatus) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
            guard state.isOpen else { return nil }
            state.phase = .closing
            state.isClosedHere = true
            state.discardInbox()
            return state.wake()
        }
        // The end of a connection that is not open has its Close frame, or needs none.
        guard let waiters else { return }
        for waiter in waiters { waiter.resume() }
        sendClose(status)
    }

    private func completeClosing() async {
        let limit = limitClosing()
        defer { limit.cancel() }
        _ = try? await untilFlushed()
        // Reads until the server's Close frame ends the connection.
        _ = try? await input { _ -> Void? in nil }
    }

    /// Closes the stream after both Close frames: the server closes the TCP connection first (RFC 6455 §7.1.1).
    func finishClosing() {
        Task { [self] in
            let limit = limitClosing()
            defer { limit.cancel() }
            _ = try? await untilFlushed()
            if !state.withLock({ $0.isStreamClosed }) { try? await stream.finishWriting() }
            if (try? await takeReading()) == true {
                while let data = try? await stream.read(), !data.isEmpty {}
                stopReading()
            }
            closeStream()
        }
    }

    private func limitClosing() -> Task<Void, Never> {
        Task { [clock, configuration, weak self] in
            guard (try? await clock.sleep(for: configuration.closeTimeout)) != nil else { return }
            self?.abort(
                .lost(
                    "the server did not respond to the Close frame within \(configuration.closeTimeout)",
                    self?.agreement.origin))
        }
    }
}
