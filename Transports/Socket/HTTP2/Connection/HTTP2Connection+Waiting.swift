internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// How streams wait for what they receive, and which task reads for them.
extension HTTP2Connection {
    /// What a stream that wants input has to do.
    enum WaitTurn {
        /// Nothing: there is input.
        case hasInput
        /// Read the connection, for all streams.
        ///
        /// - Parameter isAlone: Whether no other stream is open and no task waits for room to write.
        case mustRead(isAlone: Bool)
        /// Wait in ``HTTP2StreamState/reading``: another task reads.
        case mustPark
    }

    /// A stream wants input.
    func beginWait(_ stream: HTTP2StreamState) -> WaitTurn {
        state.withLock { state in
            guard !stream.hasInput else { return .hasInput }
            if case .nobody = state.reader {
                state.reader = .stream
                return .mustRead(isAlone: state.session.streamCount == 1 && !state.isWriting)
            }
            stream.isParked = true
            state.parkedCount += 1
            return .mustPark
        }
    }

    /// A stream that was parked runs again.
    func endWait(_ stream: HTTP2StreamState) {
        state.withLock { state in
            if stream.isParked {
                stream.isParked = false
                state.parkedCount -= 1
            } else if state.resumedCount > 0 {
                state.resumedCount -= 1
            }
        }
    }

    /// A task waits for a window to open. WINDOW_UPDATE has to be read for it, also when no stream waits for input.
    func beginWriteWait() {
        let mustRead = state.withLock { state in
            state.writerCount += 1
            guard case .nobody = state.reader, state.session.failure == nil else { return false }
            state.reader = .background
            return true
        }
        if mustRead { startBackgroundReader() }
    }

    /// A task that waited for a window runs again.
    func endWriteWait() { state.withLock { $0.writerCount -= 1 } }

    // MARK: Reading in the background

    /// How many reads the reactor's poll makes before it sees to other connections.
    private static let readLimit = 16

    /// Has the reactor's poll read the connection. A stream's task that reads has a limit; this reader ends with the
    /// connection, which the keepalive ends when the peer is dead.
    func startBackgroundReader() {
        let code = bytes.socket.startWatching()
        if code != 0 { change { $0.session.finish("the socket cannot be waited for: \(SystemError.text(code))") } }
        // The kernel reports an arrival once, and has reported this one already.
        if mayHaveMore || bytes.socket.mayBeReadable { readInTask() }
    }

    /// Reads what has arrived, in a task.
    func readInTask() { Task { _ = self.readInBackground() } }

    /// Reads what has arrived, while the background is the reader. Called by the holder of the reactor's poll, and by tasks: the
    /// first caller reads for all that come meanwhile.
    ///
    /// - Returns: Whether something was read.
    func readInBackground() -> Bool {
        var callCount = readerCalls.add(1, ordering: .acquiringAndReleasing).newValue
        guard callCount == 1 else { return false }
        var readCount = 0
        while callCount > 0 {
            while isBackgroundReader, mayHaveMore || bytes.socket.consumeReadiness(for: .reading) {
                guard readCount < Self.readLimit else {
                    readInTask()
                    break
                }
                readCount += 1
                _ = read()
                stopBackgroundReaderIfIdle()
            }
            callCount = readerCalls.subtract(callCount, ordering: .acquiringAndReleasing).newValue
        }
        return readCount > 0
    }

    private var isBackgroundReader: Bool {
        state.withLock { state in
            if case .background = state.reader { true } else { false }
        }
    }

    private func stopBackgroundReaderIfIdle() {
        let isOver = state.withLock { state in
            guard !state.needsReader || state.session.failure != nil || state.isClosed else { return false }
            state.reader = .nobody
            return true
        }
        if isOver { watch() }
    }

    // MARK: The alarm

    /// Has the alarm ring when nobody has read for a moment: the server may send PING, GOAWAY or SETTINGS at any time.
    func watch() {
        guard state.withLock({ !$0.isClosed && $0.session.failure == nil }) else { return closeIfFailed() }
        alarm.withLock { $0 }?.set(Monotonic.sum(Monotonic.now, HTTP2KeepAlive.watchDelay))
    }

    /// The alarm rings, on the reactor's thread.
    func tend() {
        let now = Monotonic.now
        var next = Int64.max
        var mustRead = false
        var hasFailed = false
        state.withLock { state in
            guard !state.isClosed, state.session.failure == nil else { return }
            switch keepAlive.step(at: now, receivedAt: state.receivedAt, pingedAt: state.pingedAt) {
            case .wait(let instant): next = instant
            case .ping(let instant):
                state.pingNumber = state.session.ping()
                state.pingedAt = now
                next = instant
            case .fail: hasFailed = true
            }
            guard case .nobody = state.reader else { return }
            state.reader = .background
            mustRead = true
        }
        guard !hasFailed else { return change { $0.session.finish(self.keepAlive.failureWords) } }
        if next != .max { alarm.withLock { $0 }?.set(next) }
        flush(mayWait: false)
        if mustRead { startBackgroundReader() }
    }

    // MARK: The end

    /// Closes a connection that is retired and has no streams.
    func closeIfUnused() {
        let mustClose = state.withLock { state in
            guard state.isRetired, !state.isClosed, state.session.streamCount == 0 else { return false }
            state.isClosed = true
            if state.session.failure == nil { state.session.goAway() }
            return true
        }
        guard mustClose else { return }
        flush(mayWait: false)
        close()
    }

    /// Closes a connection that has failed.
    func closeIfFailed() {
        let mustClose = state.withLock { state in
            guard state.session.failure != nil, !state.isClosed else { return false }
            state.isClosed = true
            return true
        }
        if mustClose { close() }
    }

    private func close() {
        alarm.withLock { $0?.cancel() }
        bytes.tls?.finishWriting()
        bytes.socket.shutDown(both: true)
        bytes.socket.rouse()
    }
}
