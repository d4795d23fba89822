internal import AirframeOpenSSL
internal import AirframeTransport
internal import AirframeWire
internal import Glibc
internal import Synchronization

/// An HTTP/2 connection: reads and writes the socket for all streams (RFC 9113 §5).
///
/// One task at a time reads. If a single exchange is in flight, its own task reads, without a thread switch. A task
/// that has received its response leaves the reading to the reactor's poll while others wait. The poll runs on the
/// reactor's thread or in Swift's pool (``LentPoll``), and runs no user code.
///
/// A task writes its own frames. If other tasks have just received their responses and are likely to send requests as
/// well, one task writes for all of them.
final class HTTP2Connection: StreamCarrier {
    /// The task that reads the socket.
    enum Reader {
        case nobody
        /// The task of a stream that waits for its own response, or one that looks for what an idle connection has
        /// received.
        ///
        /// - Parameter isWaiting: Whether the task does not read at the moment. The poll then takes its place once
        ///   another task needs frames: the reader's task may have to wait for a thread.
        case task(ObjectIdentifier, isWaiting: Bool)
        /// The holder of the reactor's poll, whenever the socket is readable.
        case background
    }

    /// `@unchecked Sendable`: the session is used with the lock held.
    struct ConnectionState: @unchecked Sendable {
        let session: HTTP2Session

        // MARK: Reading

        var reader = Reader.nobody
        /// The number of streams that wait for the reader.
        var parkedCount = 0
        /// The number of tasks that wait for a window to open, which the reader reports.
        var writerCount = 0
        /// Tasks that wait for the server's SETTINGS.
        var settingsWaiters: [SettingsWaiter] = []
        /// Whether a task waits for frames that a reader must receive.
        var needsReader: Bool { parkedCount > 0 || writerCount > 0 || !settingsWaiters.isEmpty }
        /// When the last bytes arrived.
        var receivedAt = Monotonic.now
        /// When the unacknowledged PING of the keepalive was sent.
        var pingedAt: Int64?
        var pingNumber: UInt64 = 0
        /// The number of bytes that the peer's kernel had acknowledged before that PING.
        var acceptedCount = 0

        // MARK: Writing

        /// Whether a task is writing or waiting for room.
        var isWriting = false
        /// The number of bytes that have been written. It may wrap around.
        var writtenCount = 0
        /// Whether a task waits until a TLS read has room to write.
        var awaitsRoomForReading = false
        /// The number of responses that have been received and not been followed by another request yet. Their tasks
        /// are likely to send one.
        var expectedRequestCount = 0
        /// When the last of them was received.
        var respondedAt: Int64 = 0
        /// The priority of the task that has been scheduled to write; `nil` if there is none.
        var scheduledFlush: UInt8?
        /// Whether the connection accepts bytes. If not, the reader reports why.
        var isWritable = true

        // MARK: The end

        /// Whether the pool has retired the connection.
        var isRetired = false
        /// Whether the socket has been shut down.
        var isClosed = false
        /// The capacity that was last reported to the pool.
        var reportedCapacity: Int
        var hasReportedRetirement = false

        /// Checks that the connection has not been closed since the pool granted a stream.
        ///
        /// - Throws: A failure of which nothing was sent. If the session has failed, it throws its own.
        func checkOpen() throws(HTTP2Failure) {
            guard isClosed, !session.hasFailed else { return }
            if let code = session.goAwayCode { throw .excluded(by: code) }
            throw HTTP2Failure(.connectionLost, "the connection was closed before the request was sent").ofUnsentRequest
        }
    }

    let bytes: ByteStream
    let keepAlive: HTTP2KeepAlive
    private let buffers: BufferPool
    // Guards the session, and which task reads or writes.
    let state: Mutex<ConnectionState>
    /// Whether a read may return bytes without a wait. Only the reading task changes it.
    private let hasMore = Atomic(false)
    /// Whether bytes are being read whose arrival has not been recorded yet. Only the reading task changes it.
    let isReceiving = Atomic(false)
    /// The number of pending calls of ``readInBackground()``.
    let readerCalls = Atomic(0)
    private let report = Mutex<(@Sendable (CarrierChange) -> Void)?>(nil)
    /// The alarm of the keepalive, which also starts a reader when the connection has had none for a while.
    let alarm = Mutex<Alarm?>(nil)

    /// - Throws: ``TransportError/Code/engineFailure`` if libnghttp2 is out of memory.
    init(
        _ bytes: ByteStream,
        limits: HTTP2Limits,
        keepAlive: HTTP2KeepAlive,
        _ engine: Engine
    ) throws(HTTP2Failure) {
        self.bytes = bytes
        self.keepAlive = keepAlive
        buffers = engine.buffers
        let session = try HTTP2Session(limits)
        state = Mutex(ConnectionState(session: session, reportedCapacity: session.capacity))
        hasMore.store(bytes.tls?.mayHaveMore ?? false, ordering: .relaxed)
        bytes.socket.listen { [weak self] in self?.readInBackground() ?? 0 }
        let alarm = makeAlarm { [weak self] in self?.tend() }
        self.alarm.withLock { $0 = alarm }
    }

    deinit {
        alarm.withLock { $0?.cancel() }
    }

    /// Creates an alarm. Its action runs on the reactor's thread and must not block.
    func makeAlarm(_ action: @escaping @Sendable () -> Void) -> Alarm { bytes.socket.makeAlarm(action) }

    // MARK: StreamCarrier

    var capacity: Int { state.withLock { $0.session.capacity } }

    /// Starts the keepalive. The preface is sent with the first request, in the same system call.
    func start(_ report: @escaping @Sendable (CarrierChange) -> Void) {
        self.report.withLock { $0 = report }
        // The connection may have ended while the server's SETTINGS were awaited.
        let end = state.withLock { state -> CarrierChange? in
            guard state.session.isRetired else { return nil }
            state.hasReportedRetirement = true
            return Self.end(of: state)
        }
        if let end { report(end) }
        watch()
    }

    /// How a retired session is reported.
    private static func end(of state: borrowing ConnectionState) -> CarrierChange {
        state.session.hasFailed ? .closed : .retired
    }

    var isUsable: Bool { state.withLock { Self.isUsable($0) } }

    private static func isUsable(_ state: borrowing ConnectionState) -> Bool {
        !state.isRetired && !state.session.isRetired
    }

    var allowsExtendedConnect: Bool {
        state.withLock { $0.session.hasSettings && $0.session.allowsExtendedConnect }
    }

    func claims(_ origin: Origin) -> Bool { state.withLock { $0.session.originSet?.contains(origin) ?? true } }

    /// Why the connection has failed; `nil` while it is alive.
    var failure: HTTP2Failure? { state.withLock { $0.session.failure } }

    func openStream(for origin: Origin) -> (any MessageStream)? {
        let (isUsable, isIdle) = state.withLock { state in
            (Self.isUsable(state), state.session.streamCount == 0 && state.session.hasSettings)
        }
        guard isUsable else { return nil }
        // The server may have sent GOAWAY or closed the connection since the last response. The kernel is queried
        // first: without this read through OpenSSL, the reads of a request take 6,100 instructions instead of 8,800.
        if isIdle, mayHaveMore || !bytes.socket.isQuiet {
            readUnsolicited()
            guard self.isUsable else { return nil }
        }
        return HTTP2Stream(self, for: origin)
    }

    func openFirstStream(for origin: Origin) -> (any MessageStream)? {
        if let stream = openStream(for: origin) { return stream }
        return failure == nil ? HTTP2Stream(self, for: origin) : nil
    }

    /// Reads what the server has sent to an idle connection, unless another task or thread is reading it.
    private func readUnsolicited() {
        if takeReading() {
            read()
            leaveReading(ObjectIdentifier(self))
        } else {
            // The background is the reader of a connection that has been idle for a while. The poll reports the bytes
            // to it only after the tasks that are ready now, if it has been lent to the pool.
            bytes.socket.restoreReadiness(for: .reading)
            _ = readInBackground()
        }
    }

    func retire() {
        state.withLock { $0.isRetired = true }
        closeIfUnused()
    }

    // MARK: The reader

    /// Becomes the reader. Returns `false` if there is one already.
    private func takeReading() -> Bool {
        state.withLock { state in
            guard case .nobody = state.reader, !state.session.hasFailed else { return false }
            state.reader = .task(ObjectIdentifier(self), isWaiting: false)
            return true
        }
    }

    /// Stops being the reader, unless the reactor's poll has become the reader. If streams wait, it becomes the reader.
    func leaveReading(_ reader: ObjectIdentifier) {
        let mustReplace: Bool? = state.withLock { state in
            guard state.isReader(reader) else { return nil }
            guard state.needsReader, !state.session.hasFailed else {
                state.reader = .nobody
                return false
            }
            state.reader = .background
            return true
        }
        guard let mustReplace else {
            // A wait that was cancelled or timed out may have consumed the readiness, and has restored it.
            _ = readInBackground()
            return
        }
        if mustReplace { startBackgroundReader() } else { watch() }
    }

    /// Whether a read may return bytes without a wait.
    var mayHaveMore: Bool { hasMore.load(ordering: .relaxed) }

    /// Reads once and delivers the frames to their streams.
    ///
    /// - Returns: The number of tasks that were resumed for it.
    @discardableResult
    func read() -> Int {
        isReceiving.store(true, ordering: .releasing)
        let buffer = buffers.take()
        defer {
            buffers.give(buffer)
            isReceiving.store(false, ordering: .releasing)
        }
        let result = bytes.read(into: buffer.bytes)
        switch result {
        case .blocked:
            hasMore.store(false, ordering: .relaxed)
            if bytes.tls?.readNeedsWriting == true { readOnceThereIsRoom() }
            return 0
        case .bytes(let count):
            hasMore.store(bytes.mayHaveMore(after: count, of: buffer.bytes.count), ordering: .relaxed)
            var (isAnswered, isAwaited) = (false, false)
            let resumedCount = change { state in
                state.receivedAt = Monotonic.now
                state.session.receive(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]), at: state.receivedAt)
                isAwaited = state.session.streamCount > 0
                guard state.pingedAt != nil, state.session.acknowledgedPing >= state.pingNumber else { return }
                state.pingedAt = nil
                isAnswered = true
            }
            // Without TLS, nginx writes head and content separately. Nagle's algorithm holds the second write back
            // until the first is acknowledged, which the kernel delays: a small response then takes 44 ms instead of
            // 0.4 ms.
            if isAwaited, bytes.tls == nil { bytes.socket.acknowledge() }
            // The alarm was set to the PING's timeout.
            if isAnswered { alarm.withLock { $0 }?.set(Monotonic.sum(Monotonic.now, keepAlive.interval)) }
            return resumedCount
        case .ended:
            hasMore.store(false, ordering: .relaxed)
            // Over TLS, only a close_notify proves that the server, and no attacker, closed the connection.
            let isOrderly = bytes.tls?.wasClosed ?? true
            return change {
                $0.session.finishAtEnd(
                    isOrderly ? "the server closed the connection" : "the connection ended without the TLS close")
            }
        case .failed(let code):
            hasMore.store(false, ordering: .relaxed)
            let words = bytes.tls?.failureWords
            if let words, OpenSSLError.blamesIdentity(words) {
                return change { $0.session.fail(.identityRefused(words)) }
            }
            let reason = words.map { "OpenSSL: \($0)" } ?? SystemError.text(code)
            return change { $0.session.finish("the connection was lost: \(reason)") }
        }
    }

    /// Changes the session, and resumes the tasks that it has events for.
    ///
    /// - Returns: The number of the tasks that waited for input.
    @discardableResult
    func change(_ body: (inout ConnectionState) -> Void) -> Int {
        var resumedCount = 0
        let (signalled, changes, waiters, hasOutput, hasFailed) = state.withLock { state in
            body(&state)
            let signalled = state.session.takeSignalled()
            for stream in signalled where stream.isParked {
                stream.isParked = false
                state.parkedCount -= 1
                resumedCount += 1
                guard stream.isComplete else { continue }
                state.expectedRequestCount += 1
                state.respondedAt = state.receivedAt
            }
            let (changes, waiters) = (Self.changes(&state), state.takeSettingsWaiters())
            return (signalled, changes, waiters, state.session.hasOutput, state.session.hasFailed)
        }
        // After the lock is released: resuming a task calls its executor, and a report calls the pool.
        for stream in signalled { stream.wake() }
        for waiter in waiters { waiter.rouse() }
        if !changes.isEmpty, let report = report.withLock({ $0 }) {
            for change in changes { report(change) }
        }
        if hasOutput { flush(.immediate) }
        if hasFailed { closeIfFailed() }
        return resumedCount
    }

    private static func changes(_ state: inout ConnectionState) -> [CarrierChange] {
        if state.session.isRetired {
            guard !state.hasReportedRetirement else { return [] }
            state.hasReportedRetirement = true
            let end = Self.end(of: state)
            // The limit may have arrived in the same read, and is that of the next connection.
            let limit = state.session.streamLimit
            return limit == state.reportedCapacity ? [end] : [end, .capacity(limit)]
        }
        let capacity = state.session.capacity
        guard capacity != state.reportedCapacity else { return [] }
        state.reportedCapacity = capacity
        return [.capacity(capacity)]
    }
}
