internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// How streams wait for input, and which task reads for them.
extension HTTP2Connection {
    /// What a stream that needs input must do.
    enum WaitTurn {
        /// Nothing: the stream has input.
        case hasInput
        /// Read the connection, as long as no other task waits for frames.
        case mustRead
        /// Wait in ``HTTP2StreamState/reading``: another task reads.
        case mustPark
    }

    /// Registers a stream that needs input, and returns what it must do.
    ///
    /// - Parameter spins: Whether the task spins if it must read. If no other stream is open and no task waits for room
    ///   to write, the reactor then stops watching the socket.
    func beginWait(_ stream: HTTP2StreamState, spins: Bool) -> WaitTurn {
        let (turn, takesOver) = state.withLock { state -> (WaitTurn, Bool) in
            guard !stream.hasInput else { return (.hasInput, false) }
            if case .nobody = state.reader {
                state.reader = .task(ObjectIdentifier(stream), isWaiting: true)
                // With the lock held: a writer that begins to wait afterwards starts the watch again.
                if spins, state.session.streamCount == 1, !state.isWriting, !state.awaitsRoomForReading {
                    bytes.socket.stopWatching()
                }
                return (.mustRead, false)
            }
            stream.isParked = true
            state.parkedCount += 1
            return (.mustPark, Self.takeOver(&state))
        }
        if takesOver { replaceReader() }
        return turn
    }

    /// Makes the background the reader if the reader is a task that waits. Returns whether it was.
    static func takeOver(_ state: inout ConnectionState) -> Bool {
        guard case .task(_, isWaiting: true) = state.reader, !state.session.hasFailed else { return false }
        state.reader = .background
        return true
    }

    /// Starts the background reader in the place of a task, which may be waiting for the socket.
    func replaceReader() {
        // Resumes the task. If it has been resumed already, its event has no other reader, and stays in the slot.
        bytes.socket.restoreReadiness(for: .reading)
        startBackgroundReader()
    }

    /// Keeps the continuation of the reader until the socket may be ready. Returns `false`, and keeps nothing, if the
    /// background has taken the place of the task. The lock is held meanwhile: a reader that is replaced afterwards is
    /// resumed by ``replaceReader()``, and one that was replaced before would otherwise hold the socket's only slot.
    func park(_ continuation: ReadySlot.Continuation, for stream: HTTP2StreamState) -> Bool {
        state.withLock { $0.isReader(ObjectIdentifier(stream)) && bytes.socket.tryPark(continuation) }
    }

    /// Begins to read as the reader. Returns `false` if the background has taken the place of the task.
    func beginReading(_ stream: HTTP2StreamState) -> Bool {
        let isReader = state.withLock { state in
            guard state.isReader(ObjectIdentifier(stream)) else { return false }
            state.reader = .task(ObjectIdentifier(stream), isWaiting: false)
            return true
        }
        guard !isReader else { return true }
        // The task's wait has consumed the readiness.
        bytes.socket.restoreReadiness(for: .reading)
        _ = readInBackground()
        return false
    }

    /// Goes on waiting as the reader. Returns `false` if another task needs frames: the background is the reader then.
    func continueReading(_ stream: HTTP2StreamState) -> Bool {
        let mustLeave = state.withLock { state in
            state.reader = .task(ObjectIdentifier(stream), isWaiting: true)
            return state.needsReader && Self.takeOver(&state)
        }
        if mustLeave { startBackgroundReader() }
        return !mustLeave
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
        let (mustRead, takesOver) = state.withLock { state in
            state.writerCount += 1
            guard case .nobody = state.reader, !state.session.hasFailed else { return (false, Self.takeOver(&state)) }
            state.reader = .background
            return (true, false)
        }
        if mustRead { startBackgroundReader() }
        if takesOver { replaceReader() }
    }

    /// Unregisters a task that waited for a window.
    func endWriteWait() { state.withLock { $0.writerCount -= 1 } }

    // MARK: Reading in the background

    /// The number of reads in a row before the reader lets other connections and tasks be served.
    static let readLimit = 16

    /// Makes the reactor's poll the reader. It has no time limit: the keepalive closes the connection if the peer is
    /// dead.
    func startBackgroundReader() {
        let code = bytes.socket.startWatching()
        if code != 0 { change { $0.session.finish("waiting for the socket failed: \(SystemError.text(code))") } }
        // The poll is edge-triggered: the kernel may already have reported the pending bytes.
        if mayHaveMore || bytes.socket.mayBeReadable { readInTask() }
    }

    /// Reads available bytes in a new task.
    func readInTask() { Task(priority: .exchange) { _ = self.readInBackground() } }

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

extension HTTP2Connection.ConnectionState {
    /// Whether the task of `reader` is the reader.
    func isReader(_ reader: ObjectIdentifier) -> Bool {
        if case .task(reader, _) = self.reader { true } else { false }
    }
}
