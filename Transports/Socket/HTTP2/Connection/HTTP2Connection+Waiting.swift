internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// How streams wait for input, and which task reads for them.
extension HTTP2Connection {
    /// What a stream that needs input must do.
    enum WaitTurn {
        /// Nothing: the stream has input.
        case hasInput
        /// Read the connection for all streams.
        ///
        /// - Parameter isAlone: Whether no other stream is open and no task waits for room to write.
        case mustRead(isAlone: Bool)
        /// Wait in ``HTTP2StreamState/reading``: another task reads.
        case mustPark
    }

    /// Registers a stream that needs input, and returns what it must do.
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

    /// Unregisters a parked stream whose task runs again.
    func endWait(_ stream: HTTP2StreamState) {
        state.withLock { state in
            guard stream.isParked else { return }
            stream.isParked = false
            state.parkedCount -= 1
        }
    }

    /// Registers a task that waits for a window to open. A reader must then receive WINDOW_UPDATE, even if no stream
    /// waits for input.
    func beginWriteWait() {
        let mustRead = state.withLock { state in
            state.writerCount += 1
            guard case .nobody = state.reader, !state.session.hasFailed else { return false }
            state.reader = .background
            return true
        }
        if mustRead { startBackgroundReader() }
    }

    /// Unregisters a task that waited for a window.
    func endWriteWait() { state.withLock { $0.writerCount -= 1 } }

    // MARK: Reading in the background

    /// The number of reads in a row before the reactor's poll serves other connections.
    private static let readLimit = 16

    /// Makes the reactor's poll the reader. It has no time limit: the keepalive closes the connection if the peer is
    /// dead.
    func startBackgroundReader() {
        let code = bytes.socket.startWatching()
        if code != 0 { change { $0.session.finish("waiting for the socket failed: \(SystemError.text(code))") } }
        // The poll is edge-triggered: the kernel may already have reported the pending bytes.
        if mayHaveMore || bytes.socket.mayBeReadable { readInTask() }
    }

    /// Reads available bytes in a new task.
    func readInTask() { Task { _ = self.readInBackground() } }

    /// Reads available bytes while the background is the reader. The holder of the reactor's poll and tasks call it;
    /// the first caller also reads for those that call meanwhile.
    ///
    /// - Returns: The number of readers that were resumed, and at least 1 if anything was read: writers, which may have
    ///   been resumed as well, are not counted.
    func readInBackground() -> Int {
        var callCount = readerCalls.add(1, ordering: .acquiringAndReleasing).newValue
        guard callCount == 1 else { return 0 }
        var (readCount, resumedCount) = (0, 0)
        while callCount > 0 {
            while isBackgroundReader, mayHaveMore || bytes.socket.consumeReadiness(for: .reading) {
                guard readCount < Self.readLimit else {
                    // The condition may have consumed the readiness, and the kernel does not report it again.
                    bytes.socket.restoreReadiness(for: .reading)
                    readInTask()
                    break
                }
                readCount += 1
                resumedCount += read()
                stopBackgroundReaderIfIdle()
            }
            callCount = readerCalls.subtract(callCount, ordering: .acquiringAndReleasing).newValue
        }
        return max(resumedCount, min(readCount, 1))
    }

    private var isBackgroundReader: Bool {
        state.withLock { state in
            if case .background = state.reader { true } else { false }
        }
    }

    private func stopBackgroundReaderIfIdle() {
        let isOver = state.withLock { state in
            guard !state.needsReader || state.session.hasFailed || state.isClosed else { return false }
            state.reader = .nobody
            return true
        }
        if isOver { watch() }
    }

    // MARK: The alarm

    /// Arms the alarm that starts a reader after ``HTTP2KeepAlive/watchDelay``: the server may send PING, GOAWAY or
    /// SETTINGS at any time.
    func watch() {
        guard state.withLock({ !$0.isClosed && !$0.session.hasFailed }) else { return closeIfFailed() }
        alarm.withLock { $0 }?.set(Monotonic.sum(Monotonic.now, HTTP2KeepAlive.watchDelay))
    }

    /// Handles the alarm, on the reactor's thread.
    ///
    /// - Parameter now: The monotonic clock, in nanoseconds.
    func tend(at now: Int64 = Monotonic.now) {
        var next = Int64.max
        var mustRead = false
        var isOverdue = false
        state.withLock { state in
            guard !state.isClosed, !state.session.hasFailed else { return }
            switch keepAlive.step(at: now, receivedAt: state.receivedAt, pingedAt: state.pingedAt) {
            case .wait(let instant): next = instant
            case .ping(let instant):
                state.pingNumber = state.session.ping()
                state.pingedAt = now
                state.acceptedCount = state.writtenCount &- bytes.socket.unsentCount
                next = instant
            case .fail: isOverdue = true
            }
            guard case .nobody = state.reader else { return }
            state.reader = .background
            mustRead = true
        }
        if isOverdue {
            guard !isSilent(at: now) else {
                change { $0.session.finish(self.keepAlive.failureWords) }
                return
            }
            state.withLock { $0.receivedAt = max($0.receivedAt, now) }
            next = Monotonic.sum(now, keepAlive.interval)
        }
        if next != .max { alarm.withLock { $0 }?.set(next) }
        flush(.immediate)
        if mustRead { startBackgroundReader() }
    }

    /// How much the peer's kernel must have acknowledged since a PING to prove that the peer accepts content, in bytes.
    /// Less may be a few frames that no program has read.
    private static let leastProgress = 4 << 10

    /// Returns whether nothing has arrived from a server that should have answered by `now`.
    ///
    /// Bytes that no task has read yet also prove that the server is alive: the executor of the reader's task may have
    /// been busy, or the process stopped. So do bytes that it accepts: in an upload over a slow link, the PING waits in
    /// the kernel behind megabytes of content.
    private func isSilent(at now: Int64) -> Bool {
        // In this order: a reader that has emptied the socket is still receiving, or has recorded the arrival.
        guard bytes.socket.isQuiet, !mayHaveMore, !isReceiving.load(ordering: .acquiring) else { return false }
        return state.withLock { state in
            let acceptedCount = state.writtenCount &- bytes.socket.unsentCount
            guard acceptedCount &- state.acceptedCount < Self.leastProgress else { return false }
            let step = keepAlive.step(at: now, receivedAt: state.receivedAt, pingedAt: state.pingedAt)
            return step == .fail
        }
    }

    // MARK: The end

    /// Closes a connection that is retired and has no streams.
    func closeIfUnused() {
        let mustClose = state.withLock { state in
            guard state.isRetired, !state.isClosed, state.session.streamCount == 0 else { return false }
            state.isClosed = true
            if !state.session.hasFailed { state.session.goAway() }
            return true
        }
        guard mustClose else { return }
        flush(.immediate)
        close()
    }

    /// Closes a connection that has failed.
    func closeIfFailed() {
        let mustClose = state.withLock { state in
            guard state.session.hasFailed, !state.isClosed else { return false }
            state.isClosed = true
            return true
        }
        if mustClose { close() }
    }

    private func close() {
        alarm.withLock { $0?.cancel() }
        for waiter in state.withLock({ $0.takeSettingsWaiters() }) { waiter.rouse() }
        bytes.tls?.finishWriting()
        bytes.socket.shutDown(both: true)
        bytes.socket.rouse()
    }
}
