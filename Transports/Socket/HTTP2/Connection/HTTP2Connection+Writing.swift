internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// Writes the frames of all streams.
extension HTTP2Connection {
    /// When output leaves.
    enum Urgency {
        /// At once.
        case immediate
        /// With the requests of the tasks that have just received their responses.
        case joined
        /// Like ``joined``. The output is such a request.
        case request
    }

    /// Sends the session's output.
    func flush(_ urgency: Urgency) {
        switch state.withLock({ Self.beginFlush(&$0, urgency) }) {
        // The new task runs after the tasks that are ready now, and therefore has their priority. It writes even if
        // they send no more requests.
        case .schedule(let priority): Task(priority: priority) { self.flushScheduled() }
        case .write(let taken): write(taken)
        case .leave: break
        }
    }

    /// What a task that flushes does.
    private enum FlushTurn {
        /// Another task writes.
        case leave
        /// Start a task that writes.
        case schedule(TaskPriority)
        case write(TakenOutput)
    }

    /// Output that the calling task must write, and the streams that have events because it was framed.
    private struct TakenOutput {
        /// `nil` if there is none or another task writes.
        var output: HTTP2Output?
        var signalled: [HTTP2StreamState] = []
        /// Whether one of the signalled streams has failed.
        var hasFailure = false
        /// Whether there is output that another task must write, because the turn of the calling task is over.
        var isLeft = false
    }

    private static func beginFlush(_ state: inout ConnectionState, _ urgency: Urgency) -> FlushTurn {
        guard urgency != .immediate, state.expectsRequests(after: urgency) else {
            return .write(takeOutput(&state, isWriting: false))
        }
        let priority = Task.currentPriority
        // All threads of another priority may be waiting for what this task sends.
        if let scheduled = state.scheduledFlush {
            return scheduled == priority.rawValue ? .leave : .write(takeOutput(&state, isWriting: false))
        }
        state.scheduledFlush = priority.rawValue
        return .schedule(priority)
    }

    private func flushScheduled() {
        let taken = state.withLock { state in
            state.scheduledFlush = nil
            return Self.takeOutput(&state, isWriting: false)
        }
        write(taken)
    }

    /// Writes the session's output.
    private func writeOutput() { write(state.withLock { Self.takeOutput(&$0, isWriting: false) }) }

    /// The number of bytes after which another task continues. An upload may refill the output as fast as it is
    /// written, and the writer has to read its own response, or to serve other connections if it holds the reactor's
    /// poll.
    private static let turnSize = 256 << 10

    /// Writes until the output is empty, the socket has no room, or the turn is over. While one task writes, others
    /// only append output.
    private func write(_ taken: consuming TakenOutput) {
        var taken = taken
        var writtenCount = 0
        while true {
            for stream in taken.signalled { stream.wake() }
            // The task of a failed stream may be the reader, which waits for the socket and not in its stream's slot.
            if taken.hasFailure { bytes.socket.rouse() }
            guard var output = taken.output.take() else {
                if taken.isLeft { Task(priority: .exchange) { self.writeOutput() } }
                return
            }
            let result = output.withUnsafeBytes { bytes.write($0) }
            if case .bytes(let count) = result {
                output.remove(count)
                writtenCount += count
            }
            let isTurnOver = writtenCount >= Self.turnSize
            // The lock is taken once between two writes.
            let next = state.withLock { state -> TakenOutput? in
                switch result {
                case .bytes(let count):
                    state.session.output.prepend(output)
                    state.writtenCount &+= count
                case .blocked:
                    state.session.output.prepend(output)
                    return nil
                // The reader may still receive bytes that the server sent before, and then reports the end.
                case .ended, .failed: state.isWritable = false
                }
                var rest = Self.takeOutput(&state, isWriting: true)
                if isTurnOver { Self.endTurn(&state, &rest) }
                return rest
            }
            guard let next else { return waitForRoom() }
            taken = next
        }
    }

    /// Takes the output to write.
    ///
    /// - Parameter isWriting: Whether the calling task is the writer.
    private static func takeOutput(_ state: inout ConnectionState, isWriting: Bool) -> TakenOutput {
        guard isWriting || !state.isWriting else { return TakenOutput() }
        state.session.frameOutput()
        var taken = TakenOutput(signalled: state.session.takeSignalled())
        taken.hasFailure = taken.signalled.contains { $0.hasFailed }
        guard state.isWritable, state.session.output.count > 0 else {
            state.isWriting = false
            return taken
        }
        state.isWriting = true
        taken.output = state.session.output.take()
        return taken
    }

    /// Leaves the output that has been taken to another task.
    private static func endTurn(_ state: inout ConnectionState, _ taken: inout TakenOutput) {
        guard let output = taken.output.take() else { return }
        state.session.output.prepend(output)
        state.isWriting = false
        taken.isLeft = true
    }

    /// Continues writing once the socket has room. The connection counts as being written meanwhile.
    private func waitForRoom() {
        Task(priority: .exchange) {
            let end = await bytes.socket.wait(for: .writing, until: .max, nil, alarm: bytes.socket.makeAlarm())
            if case .failed(let code) = end {
                change { $0.session.finish("waiting for the socket failed: \(SystemError.text(code))") }
            }
            let isClosed = state.withLock { state in
                state.isWriting = false
                return state.isClosed
            }
            if !isClosed { writeOutput() }
        }
    }

    /// Continues a TLS read that must write first, once the socket has room: for the answer to a key update (RFC 8446
    /// §4.6.3). There may be no output whose writer waits for room.
    func readOnceThereIsRoom() {
        let isFirst = state.withLock { state in
            defer { state.awaitsRoomForReading = true }
            return !state.awaitsRoomForReading
        }
        guard isFirst else { return }
        Task(priority: .exchange) {
            let end = await bytes.socket.wait(
                for: .roomForReading, until: .max, nil, alarm: bytes.socket.makeAlarm())
            if case .failed(let code) = end {
                change { $0.session.finish("waiting for the socket failed: \(SystemError.text(code))") }
            }
            let isClosed = state.withLock { state in
                state.awaitsRoomForReading = false
                return state.isClosed
            }
            guard !isClosed else { return }
            // Not `rouse()`, which would end the next such wait as well, long before there is room.
            bytes.socket.restoreReadiness(for: .reading)
            readInTask()
        }
    }
}

extension HTTP2Connection.ConnectionState {
    /// How long after its response a task is expected to send another request, in nanoseconds.
    private static let expectation: Int64 = 5_000_000

    /// Returns whether more requests are expected, so that output can wait for them.
    fileprivate mutating func expectsRequests(after urgency: HTTP2Connection.Urgency) -> Bool {
        guard expectedRequestCount > 0 else { return false }
        if Monotonic.now - respondedAt > Self.expectation { expectedRequestCount = 0 }
        if urgency == .request, expectedRequestCount > 0 { expectedRequestCount -= 1 }
        return expectedRequestCount > 0
    }
}
