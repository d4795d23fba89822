internal import AirframeTransport
internal import CSocket
internal import Glibc
internal import Synchronization

/// A nonblocking socket, which the reactor watches from the first wait.
///
/// A class, because an exchange's reader and its uploader may share the socket. It is closed when the last of them
/// releases it, so that a descriptor number is never used after the kernel has reassigned it.
final class Socket: Sendable {
    private let descriptor: Descriptor
    private let readiness: Readiness
    private let reactor: Reactor
    private let watched = Atomic(false)
    // Guards starting and stopping the watch, whose system calls must not overtake each other.
    private let watchLock = Mutex(())
    private let inflow = InflowMeter()

    /// Takes ownership of `descriptor`.
    init(_ descriptor: consuming Descriptor, _ reactor: Reactor) {
        self.descriptor = descriptor
        self.reactor = reactor
        readiness = Readiness()
    }

    deinit { stopWatching() }

    // MARK: The reactor's watch

    /// Whether the reactor watches the socket. Only then does it see the peer close the connection.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// Makes the reactor watch the socket, which must have begun to connect. Returns the system's error code, or 0.
    func startWatching() -> Int32 {
        guard !isWatched else { return 0 }
        return watchLock.withLock { _ in
            guard !isWatched else { return 0 }
            let code = reactor.watch(descriptor, readiness)
            if code == 0 { watched.store(true, ordering: .releasing) }
            return code
        }
    }

    /// Makes the reactor stop watching the socket. No task may wait for it.
    func stopWatching() {
        guard isWatched else { return }
        watchLock.withLock { _ in
            guard watched.exchange(false, ordering: .acquiringAndReleasing) else { return }
            reactor.forget(descriptor, readiness)
        }
    }

    /// Makes the reactor watch the idle socket, and fire `alarm` when the peer closes the connection.
    func watchForEnd(_ alarm: Alarm) {
        readiness.ringAtEnd(alarm)
        // If this fails, the connection stays until it expires or a request finds it closed.
        _ = startWatching()
    }

    // MARK: Readiness

    /// Returns whether the socket may be ready, and clears the readiness: the caller must then read or write before it
    /// waits.
    func consumeReadiness(for direction: Direction) -> Bool {
        switch direction {
        case .reading: readiness.reading.consume() || readiness.hasEnded
        case .writing: readiness.writing.consume()
        case .roomForReading: readiness.roomForReading.consume()
        }
    }

    /// Sets the readiness: again, if the caller of ``consumeReadiness(for:)`` has neither read nor written, or before
    /// the reactor reports it.
    func restoreReadiness(for direction: Direction) {
        switch direction {
        case .reading: _ = readiness.reading.signal()
        case .writing: _ = readiness.writing.signal()
        case .roomForReading: _ = readiness.roomForReading.signal()
        }
    }

    /// Resumes `continuation` when the socket may be ready or ``rouse()`` is called.
    func park(_ continuation: ReadySlot.Continuation, for direction: Direction) {
        readiness.noteWaiter(Task.currentPriority)
        switch direction {
        case .reading: readiness.reading.park(continuation)
        case .writing: readiness.writing.park(continuation)
        case .roomForReading: readiness.roomForReading.park(continuation)
        }
    }

    /// Keeps `continuation` for a reader, as ``park(_:for:)`` does. Returns `false` if the caller must resume it.
    func tryPark(_ continuation: ReadySlot.Continuation) -> Bool {
        readiness.noteWaiter(Task.currentPriority)
        return readiness.reading.tryPark(continuation)
    }

    /// Lets the holder of the poll read for the task that is about to wait for input; `nil` once it has resumed.
    func setAheadReader(_ reader: AheadReader?) { readiness.setAheadReader(reader) }

    /// Whether the socket may be readable. This does not clear the readiness.
    var mayBeReadable: Bool { readiness.reading.isReady || readiness.hasEnded }

    /// Sets the listener that is called whenever the watched socket becomes readable: by the reactor's thread, or by
    /// the task in the pool to which the thread has lent its poll.
    func listen(_ listener: @escaping Readiness.Listener) { readiness.listen(listener) }

    /// Records that a task with `priority` is about to wait for bytes that another task reads from the socket.
    func noteWaiter(_ priority: TaskPriority) { readiness.noteWaiter(priority) }

    /// Whether the reactor has seen the peer end its direction or the connection break.
    var hasEnded: Bool { readiness.hasEnded }

    /// Clears the readiness after a read found nothing.
    func forgetInput() { readiness.reading.forgetReadiness() }

    /// Wakes waiting tasks, so that they check their limits and interruptions.
    func rouse() { readiness.rouse() }

    /// Creates an alarm that wakes waiting tasks. The alarm does not keep the socket open.
    func makeAlarm() -> Alarm {
        reactor.makeAlarm { [readiness] in readiness.rouse() }
    }

    /// Creates an alarm on the socket's reactor. Its action runs on the reactor's thread and must not block.
    func makeAlarm(_ action: @escaping @Sendable () -> Void) -> Alarm { reactor.makeAlarm(action) }

    /// Lets input gather if bytes arrive fast. Returns whether it did; the socket is then likely to be readable.
    func gatherInput() -> Bool {
        guard inflow.isFast() else { return false }
        airframe_sleep(InflowMeter.pause)
        return true
    }

    /// Spins until the socket is ready, for at most ``SpinBudget/timeout``. Returns whether it is ready.
    func spin(for direction: Direction) -> Bool {
        airframe_socket_poll(descriptor.number, Int16(direction == .reading ? POLLIN : POLLOUT), SpinBudget.timeout) > 0
    }

    // MARK: Bytes

    /// Records that an exchange has read or written, which shows that Swift's pool is making progress.
    func noteMovement() { reactor.noteMovement() }

    /// Reads available bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        reactor.noteMovement()
        while true {
            let count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                inflow.note(count)
                return .bytes(count)
            }
            if count == 0 { return .ended }
            if let result = Self.failure() { return result }
        }
    }

    /// Makes the kernel acknowledge read bytes immediately (`TCP_QUICKACK`). Has no effect on a Unix socket.
    func acknowledge() {
        var isOn: Int32 = 1
        setsockopt(
            descriptor.number, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes as many bytes as the socket accepts.
    func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        reactor.noteMovement()
        while true {
            let count = send(descriptor.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if let result = Self.failure() { return result }
        }
    }

    /// Writes as many bytes of the parts, in order, as the socket accepts.
    func write(_ parts: UnsafeBufferPointer<iovec>) -> IOResult {
        reactor.noteMovement()
        var message = msghdr()
        message.msg_iov = UnsafeMutablePointer(mutating: parts.baseAddress)
        message.msg_iovlen = parts.count
        while true {
            let count = sendmsg(descriptor.number, &message, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if let result = Self.failure() { return result }
        }
    }

    /// Sends a part of a file without copying it through the process. Returns ``IOResult/ended`` at the end of the
    /// file. `sendfile` has no flag that suppresses `SIGPIPE`.
    func sendFile(_ file: borrowing Descriptor, from offset: Int64, count: Int) -> IOResult {
        var position = off_t(offset)
        while true {
            let sent = BrokenPipe.withoutSignal { sendfile(descriptor.number, file.number, &position, count) }
            if sent > 0 { return .bytes(sent) }
            if sent == 0 { return .ended }
            if let result = Self.failure() { return result }
        }
    }

    /// The number of written bytes that the peer's kernel has not acknowledged.
    var unsentCount: Int { Int(airframe_socket_unsent(descriptor.number)) }

    /// Whether the peer has neither sent anything since the last response nor closed the connection.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor.number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    /// Returns the result of a failed call; `nil` if it was interrupted and must be repeated.
    private static func failure() -> IOResult? {
        switch errno {
        case EINTR: nil
        case EAGAIN: .blocked
        default: .failed(errno)
        }
    }

    // MARK: The ends

    /// Shuts down the sending direction, or both directions.
    func shutDown(both: Bool) {
        _ = shutdown(descriptor.number, Int32(both ? SHUT_RDWR : SHUT_WR))
    }

    /// The result of connecting: 0 for success, otherwise the system's error code; `EINPROGRESS` while it continues.
    var connectResult: Int32 {
        // Only a connected socket has a peer.
        guard remoteEndpoint == nil else { return 0 }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code == 0 ? EINPROGRESS : code
    }

    /// The local address.
    var localEndpoint: Endpoint? { Endpoint(descriptor, getsockname) }

    /// The peer's address; `nil` if the socket is not connected.
    var remoteEndpoint: Endpoint? { Endpoint(descriptor, getpeername) }

    /// The descriptor's number. Valid for the life of the socket.
    var number: Int32 { descriptor.number }
}
