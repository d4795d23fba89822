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
        let mustSchedule: Bool? = state.withLock { state in
            guard urgency != .immediate, state.expectsRequests(after: urgency) else { return nil }
            guard !state.isFlushScheduled else { return false }
            state.isFlushScheduled = true
            return true
        }
        switch mustSchedule {
        // The new task runs after the tasks that are ready now. It writes even if they send no more requests.
        case true?: Task { self.flushScheduled() }
        case false?: return
        case nil: writeOutput()
        }
    }

    private func flushScheduled() {
        state.withLock { $0.isFlushScheduled = false }
        writeOutput()
    }

    /// Writes until the output is empty or the socket has no room. While one task writes, others only append output.
    private func writeOutput() {
        guard var output = takeOutput(isWriting: false) else { return }
        while true {
            switch output.withUnsafeBytes({ bytes.write($0) }) {
            case .bytes(let count):
                output.remove(count)
            case .blocked:
                state.withLock { $0.session.output.prepend(output) }
                return waitForRoom()
            case .ended, .failed:
                // The reader may still receive bytes that the server sent before, and then reports the end.
                state.withLock { $0.isWritable = false }
                output = HTTP2Output()
            }
            state.withLock { $0.session.output.prepend(output) }
            guard let next = takeOutput(isWriting: true) else { return }
            output = next
        }
    }

    /// Takes the output; `nil` if there is none or another task writes.
    ///
    /// - Parameter isWriting: Whether the calling task is the writer.
    private func takeOutput(isWriting: Bool) -> HTTP2Output? {
        let (output, signalled) = state.withLock { state -> (HTTP2Output?, [HTTP2StreamState]) in
            guard isWriting || !state.isWriting else { return (nil, []) }
            state.session.frameOutput()
            let signalled = state.session.takeSignalled()
            guard state.isWritable, state.session.output.count > 0 else {
                state.isWriting = false
                return (nil, signalled)
            }
            state.isWriting = true
            let output = state.session.output
            state.session.output = HTTP2Output()
            return (output, signalled)
        }
        for stream in signalled { stream.wake() }
        return output
    }

    /// Continues writing once the socket has room. The connection counts as being written meanwhile.
    private func waitForRoom() {
        Task {
            let end = await bytes.socket.wait(for: .writing, until: .max, nil, alarm: bytes.socket.makeAlarm())
            if case .failed(let code) = end {
                change { $0.session.finish("waiting for the socket failed: \(SystemError.text(code))") }
            }
            let isClosed = state.withLock { state in
                state.isWriting = false
                return state.isClosed
            }
            guard !isClosed else { return }
            writeOutput()
            // A TLS read that needed to write can continue.
            guard bytes.tls?.readNeedsWriting == true else { return }
            bytes.socket.rouse()
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
