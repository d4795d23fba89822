internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import Synchronization

extension WebSocketConnection {
    /// Returns the next event of a message; `nil` after an orderly end of the connection.
    ///
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    func nextEvent() async throws -> MessageDecoder.Event? {
        try await input { $0.takeEvent() }
    }

    /// Waits until `poll` returns a value, and reads from the stream while no other task does.
    ///
    /// - Returns: The value; `nil` after an orderly end of the connection.
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    func input<Found: Sendable>(_ poll: (inout ConnectionState) -> Found?) async throws -> Found? {
        while true {
            let step = state.withLock { state -> InputStep<Found> in
                if let found = poll(&state) { return .found(found) }
                if let end = state.end { return .ended(end) }
                guard !state.isReading, state.inboxSize < configuration.maximumBufferedSize else {
                    return .wait(state.version)
                }
                state.isReading = true
                return .read
            }
            switch step {
            case .found(let found): return found
            case .ended(let end):
                if let error = error(of: end) { throw error }
                return nil
            case .wait(let version): try await park(unlessChanged: version)
            case .read:
                defer { stopReading() }
                try await readOnce()
            }
        }
    }

    private func stopReading() {
        let waiters = state.withLock { state in
            state.isReading = false
            return state.wake()
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Processes buffered events of the decoder, or the next bytes of the stream.
    private func readOnce() async throws {
        do {
            if try decode() { return }
            let data: Data?
            do throws(TransportError) {
                data = try await stream.read()
            } catch {
                if error.isCancellation { try Task.checkCancellation() }
                abort(.lost("the connection was lost", agreement.origin, error))
                return
            }
            guard let data else {
                abort(
                    .lost("the server ended the connection without a Close frame (RFC 6455 §7.1.5)", agreement.origin))
                return
            }
            decoder.withLock { $0.receive(data) }
            try decode()
        } catch let violation as ProtocolViolation {
            refuse(violation)
        }
    }

    /// Takes events from the decoder until one belongs to a message, or it needs bytes.
    ///
    /// Events behind a message are processed after the message was taken, so that a reader can answer it before a
    /// violation behind it ends the connection.
    ///
    /// - Returns: Whether there were any events.
    @discardableResult
    private func decode() throws -> Bool {
        var hasEvents = false
        while state.withLock({ $0.inboxSize < configuration.maximumBufferedSize && $0.end == nil }) {
            guard let event = try decoder.withLock({ decoder throws(ProtocolViolation) in try decoder.next() }) else {
                break
            }
            hasEvents = true
            if take(event) { break }
        }
        return hasEvents
    }

    /// Handles an event. Returns whether it belongs to a message.
    private func take(_ event: MessageDecoder.Event) -> Bool {
        switch event {
        case .message, .start, .piece, .end:
            return state.withLock { state in
                if state.isOpen { state.add(event) }
                return state.isOpen
            }
        case .ping(let payload):
            note(.received, .ping, payload)
            sendUrgently(.pong, payload)
        case .pong(let payload):
            note(.received, .pong, payload)
            takePong(payload)
        case .close(let status):
            note(.received, .close(status.code.map { .init($0) }), status.reason)
            // The response repeats the code (RFC 6455 §5.5.1).
            sendClose(CloseStatus(code: status.code))
            end(.closed(status))
            finishClosing()
        }
        return false
    }

    private func takePong(_ payload: Data) {
        guard payload.count == 8 else { return }
        let number = payload.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let now = clock.now
        state.withLock { state in
            // A pong also answers all earlier pings (RFC 6455 §5.5.3). An unsolicited pong is not an error.
            guard state.pings[number] != nil else { return }
            for (ping, sent) in state.pings where ping <= number {
                state.pongs[ping] = sent.duration(to: now)
                state.pings[ping] = nil
            }
        }
    }

    /// Fails the connection after a violation by the server (RFC 6455 §7.1.7).
    func refuse(_ violation: ProtocolViolation) {
        sendClose(CloseStatus(code: violation.closeCode, reason: Data(violation.section.utf8)))
        end(.failed(WebSocketError(violation, agreement.origin)))
        finishClosing()
    }
}

/// The next step of a task that needs input.
private enum InputStep<Found: Sendable> {
    case found(Found)
    case ended(ConnectionState.End)
    /// No task reads from the stream: this task may.
    case read
    /// Another task reads, or messages must be taken first. The number is the state's version.
    case wait(Int)
}
