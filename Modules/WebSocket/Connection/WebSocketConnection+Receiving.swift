internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import Synchronization

extension WebSocketConnection {
    /// Returns the next event of a message; `nil` after an orderly end of the connection.
    ///
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    @inline(__always)
    func nextEvent() async throws -> MessageDecoder.Event? {
        while true {
            switch nextStep({ $0.takeEvent() }) {
            case .found(let event): return event
            case .ended(let end):
                if let error = error(of: end) { throw error }
                return nil
            case .wait(let version): try await park(unlessChanged: version)
            case .read(let needsBytes):
                // The inbox is empty, and this task fills it: the event need not pass through it.
                if let event = try await readOnce(needsBytes), stopReading() { return event }
            }
        }
    }

    /// Waits until `poll` returns a value, and reads from the stream while no other task does.
    ///
    /// - Returns: The value; `nil` after an orderly end of the connection.
    /// - Throws: ``WebSocketError``, or `CancellationError`.
    func input<Found: Sendable>(_ poll: (inout ConnectionState) -> Found?) async throws -> Found? {
        while true {
            switch nextStep(poll) {
            case .found(let found): return found
            case .ended(let end):
                if let error = error(of: end) { throw error }
                return nil
            case .wait(let version): try await park(unlessChanged: version)
            case .read(let needsBytes):
                if let event = try await readOnce(needsBytes) {
                    state.withLock { state in
                        if state.isOpen { state.add(event) }
                    }
                    stopReading()
                }
            }
        }
    }

    /// Not inlined: in an asynchronous function, each closure that captures takes memory of the task.
    @inline(never)
    private func nextStep<Found: Sendable>(_ poll: (inout ConnectionState) -> Found?) -> InputStep<Found> {
        let limit = maximumBufferedSize
        let (step, hasRoom) = state.withLock { state -> (InputStep<Found>, Bool) in
            let wasFull = state.inboxSize >= limit
            if let found = poll(&state) {
                let hasRoom = wasFull && state.inboxSize < limit
                if hasRoom { state.activity &+= 1 }
                return (.found(found), hasRoom)
            }
            if let end = state.end { return (.ended(end), false) }
            guard !state.isReading, !wasFull else { return (.wait(state.version), false) }
            state.isReading = true
            defer { state.needsBytes = true }
            return (.read(needsBytes: state.needsBytes), false)
        }
        // A ping waits for room to read past the messages.
        if hasRoom { wakeWaiters() }
        return step
    }

    /// Waits for the right to read, which another task may hold: a ping reads past the messages that the reader takes.
    ///
    /// - Returns: Whether this task has the right; `false` if the stream is closed.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func takeReading() async throws -> Bool {
        while true {
            let (hasRight, version) = state.withLock { state -> (Bool?, Int) in
                if state.isStreamClosed { return (false, state.version) }
                if state.isReading { return (nil, state.version) }
                state.isReading = true
                return (true, state.version)
            }
            if let hasRight { return hasRight }
            try await park(unlessChanged: version)
        }
    }

    /// Gives up the right to read.
    ///
    /// - Parameter hasRead: Whether the task has read or decoded.
    /// - Returns: Whether messages are still valid. Once this end has begun to close the connection, they are
    ///   discarded.
    @discardableResult
    @inline(never)
    func stopReading(hasRead: Bool = true) -> Bool {
        let (hasWaiters, isOpen) = state.withLock { state in
            state.isReading = false
            if hasRead { state.activity &+= 1 }
            state.version &+= 1
            return (!state.waiters.isEmpty, state.isOpen)
        }
        if hasWaiters { wakeWaiters() }
        return isOpen
    }

    @inline(never)
    private func wakeWaiters() {
        for waiter in state.withLock({ $0.wake() }) { waiter.resume() }
    }

    /// Reads from the stream if the decoder needs bytes, and decodes.
    ///
    /// - Returns: An event of a message, with which the caller still has the right to read.
    @inline(__always)
    private func readOnce(_ needsBytes: Bool) async throws -> MessageDecoder.Event? {
        var event: MessageDecoder.Event?
        do {
            if !needsBytes {
                event = try decode(nil)
            } else {
                try await stream.untilReadable()
                switch try readAtOnce() {
                case .event(let found): event = found
                case .incomplete: break
                case .nothing:
                    if let data = try await stream.read() { event = try decode(data) } else { abortAfterEnd() }
                }
            }
        } catch {
            defer { stopReading(hasRead: false) }
            try handle(error)
            return nil
        }
        if case nil = event { stopReading() }
        return event
    }

    /// The result of a read that did not wait.
    private enum ReadAtOnce {
        case event(MessageDecoder.Event)
        /// Bytes arrived, and no event of a message is complete.
        case incomplete
        case nothing
    }

    /// The size of a read between messages. What does not fit is read into the engine's buffers, which are larger.
    private static let readAtOnceSize = 2048

    /// Reads and decodes without waiting if no message has begun. A whole small message is decoded where it was read:
    /// `Data` for its frame took 1,600 instructions of 12,900 for an echo.
    @inline(never)
    private func readAtOnce() throws(ProtocolViolation) -> ReadAtOnce {
        guard decoder.withLock({ $0.isAtBoundary }) else { return .nothing }
        var rest: Data?
        let event = withUnsafeTemporaryAllocation(byteCount: Self.readAtOnceSize, alignment: 16) { buffer in
            let count = stream.readAtOnce(into: buffer)
            guard count > 0, let address = buffer.baseAddress else { return nil as MessageDecoder.Event? }
            let event = decoder.withLock { $0.wholeMessage(in: UnsafeRawBufferPointer(start: address, count: count)) }
            if case nil = event { rest = Data(bytes: address, count: count) }
            return event
        }
        if let event { return .event(event) }
        guard let rest else { return .nothing }
        return try decode(rest).map { .event($0) } ?? .incomplete
    }

    @inline(never)
    private func abortAfterEnd() {
        abort(.lost("the server ended the connection without a Close frame (RFC 6455 §7.1.5)", agreement.origin))
    }

    /// Handles an error while reading.
    @inline(never)
    private func handle(_ error: any Error) throws {
        switch error {
        case let violation as ProtocolViolation: refuse(violation)
        case let error as TransportError:
            if error.isCancellation { try Task.checkCancellation() }
            abort(.lost("the connection was lost", agreement.origin, error))
        default: throw error
        }
    }

    /// Handles control frames up to the next event of a message.
    ///
    /// Events behind a message are processed after the message was taken, so that a reader can answer it before a
    /// violation behind it ends the connection.
    ///
    /// - Returns: The event; `nil` if the decoder needs bytes.
    @inline(never)
    private func decode(_ data: Data?) throws(ProtocolViolation) -> MessageDecoder.Event? {
        if let data { decoder.withLock { $0.receive(data) } }
        while let event = try decoder.withLock({ decoder throws(ProtocolViolation) in try decoder.next() }) {
            guard event.isOfMessage else {
                handle(event)
                continue
            }
            state.withLock { $0.needsBytes = false }
            return event
        }
        return nil
    }

    /// Handles a control frame.
    @inline(never)
    private func handle(_ event: MessageDecoder.Event) {
        switch event {
        case .text, .binary, .start, .piece, .end: return
        case .ping(let payload):
            note(.received, .ping, payload)
            sendUrgently(.pong, payload)
        case .pong(let payload):
            note(.received, .pong, payload)
            takePong(payload)
        case .close(let status):
            note(.received, .close(status.code.map { .init($0) }), status.reason)
            // The response repeats the code (RFC 6455 §5.5.1).
            end(.closed(status), sending: CloseStatus(code: status.code))
        }
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
        end(
            .failed(WebSocketError(violation, agreement.origin)),
            sending: CloseStatus(code: violation.closeCode, reason: Data(violation.section.utf8)))
    }

    /// Ends the connection with a Close frame. The end comes first, so that no message follows the frame (RFC 6455
    /// §5.5.1).
    private func end(_ end: ConnectionState.End, sending status: CloseStatus) {
        let isFirst = self.end(end)
        sendClose(status)
        if isFirst { finishClosing() }
    }
}

/// The next step of a task that needs input.
private enum InputStep<Found: Sendable> {
    case found(Found)
    case ended(ConnectionState.End)
    /// No task reads from the stream: this task may. The decoder may have an event left, or needs bytes.
    case read(needsBytes: Bool)
    /// Another task reads, or messages must be taken first. The number is the state's version.
    case wait(Int)
}

extension MessageDecoder.Event {
    fileprivate var isOfMessage: Bool {
        switch self {
        case .text, .binary, .start, .piece, .end: true
        case .ping, .pong, .close: false
        }
    }
}
