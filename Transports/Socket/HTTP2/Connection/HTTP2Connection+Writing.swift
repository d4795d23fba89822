internal import AirframeTransport
internal import Synchronization

/// Writes the frames of all streams.
extension HTTP2Connection {
    /// Sends the session's output.
    ///
    /// - Parameter mayWait: Whether to wait for tasks that have just been resumed, so that their frames leave in the
    ///   same system call and TLS record.
    func flush(mayWait: Bool) {
        let mustSchedule: Bool? = state.withLock { state in
            guard mayWait, state.resumedCount > 0 else { return nil }
            guard !state.isFlushScheduled else { return false }
            state.isFlushScheduled = true
            return true
        }
        switch mustSchedule {
        // The new task runs after the tasks that have been resumed.
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
