internal import AirframeTransport
internal import CSocket
internal import Glibc
internal import Synchronization

/// A socket that never blocks, and that the reactor watches from the first wait for it.
///
/// A class, because an exchange's reader and its uploader may hold it at once: it is closed when the last of them lets
/// go, so that no number of a descriptor is used after it has passed to another.
final class Socket: Sendable {
    private let descriptor: Descriptor
    private let readiness: Readiness
    private let reactor: Reactor
    private let watched = Atomic(false)

    /// Takes over `descriptor`.
    init(_ descriptor: consuming Descriptor, _ reactor: Reactor) {
        self.descriptor = descriptor
        self.reactor = reactor
        readiness = Readiness()
    }

    deinit { stopWatching() }

    // MARK: The reactor's watch

    /// Whether the reactor watches the socket. Only then does it know that the peer has closed.
    var isWatched: Bool { watched.load(ordering: .acquiring) }

    /// Has the reactor watch the socket, which has begun to connect. Returns the system's error, or 0.
    func startWatching() -> Int32 {
        guard !isWatched, !watched.exchange(true, ordering: .acquiringAndReleasing) else { return 0 }
        let code = reactor.watch(descriptor, readiness)
        if code != 0 { watched.store(false, ordering: .releasing) }
        return code
    }

    /// Has the reactor watch the socket no longer: no task waits for it.
    func stopWatching() {
        guard isWatched, watched.exchange(false, ordering: .acquiringAndReleasing) else { return }
        reactor.forget(descriptor, readiness)
    }

    /// Has the reactor watch the socket, which is idle, and ring `alarm` when the peer closes the connection.
    func watchForEnd(_ alarm: Alarm) {
        readiness.ringAtEnd(alarm)
        // Without a watch the connection stays until it is too old, or until a request finds it closed.
        _ = startWatching()
    }

    // MARK: Readiness

    /// Whether the socket may be ready, without waiting. The answer is used up: try, and then wait.
    func consumeReadiness(for direction: Direction) -> Bool {
        switch direction {
        case .reading: readiness.reading.consume() || readiness.hasEnded
        case .writing: readiness.writing.consume()
        }
    }

    /// Resumes `continuation` when the socket may be ready, or ``rouse()`` is called.
    func park(_ continuation: ReadySlot.Continuation, for direction: Direction) {
        readiness.noteWaiter(Task.currentPriority)
        switch direction {
        case .reading: readiness.reading.park(continuation)
        case .writing: readiness.writing.park(continuation)
        }
    }

    /// Whether the socket may be readable. The answer is not used up.
    var mayBeReadable: Bool { readiness.reading.isReady || readiness.hasEnded }

    /// Has `listener` called each time that the socket becomes readable while it is watched: by the reactor's thread, or by a
    /// task in the pool to which that has lent its poll.
    func listen(_ listener: @escaping Readiness.Listener) { readiness.listen(listener) }

    /// Records that a task with `priority` is about to wait for what another one reads from the socket.
    func noteWaiter(_ priority: TaskPriority) { readiness.noteWaiter(priority) }

    /// Whether the peer has ended its direction, or the connection broke, as far as the reactor has seen.
    var hasEnded: Bool { readiness.hasEnded }

    /// Nothing has come: the alarm was false.
    func forgetInput() { readiness.reading.forgetReadiness() }

    /// Wakes the tasks that wait, to check their limits and whether they are to give up.
    func rouse() { readiness.rouse() }

    /// An alarm that wakes the tasks that wait. It does not keep the socket open.
    func makeAlarm() -> Alarm {
        reactor.makeAlarm { [readiness] in readiness.rouse() }
    }

    /// An alarm on the socket's reactor. Its action runs on the reactor's thread and must not block.
    func makeAlarm(_ action: @escaping @Sendable () -> Void) -> Alarm { reactor.makeAlarm(action) }

    /// Polls until the socket is ready, for at most ``SpinBudget/limit``. Returns whether it is.
    func spin(for direction: Direction) -> Bool {
        airframe_socket_poll(descriptor.number, Int16(direction == .reading ? POLLIN : POLLOUT), SpinBudget.limit) > 0
    }

    // MARK: Bytes

    /// Reads what is there.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> IOResult {
        reactor.noteMovement()
        while true {
            let count = recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if let result = Self.failure() { return result }
        }
    }

    /// Has the kernel acknowledge what has been read at once (`TCP_QUICKACK`). Without effect on a unix socket.
    func acknowledge() {
        var isOn: Int32 = 1
        setsockopt(
            descriptor.number, Int32(IPPROTO_TCP), TCP_QUICKACK, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Writes as much as there is room for.
    func write(_ bytes: UnsafeRawBufferPointer) -> IOResult {
        reactor.noteMovement()
        while true {
            let count = send(descriptor.number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            if let result = Self.failure() { return result }
        }
    }

    /// Writes as much as there is room for, of one part after the other.
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

    /// Sends a part of a file, without its bytes passing through the process. ``IOResult/ended`` when the file does.
    /// `sendfile` has no flag against `SIGPIPE`.
    func sendFile(_ file: borrowing Descriptor, from offset: Int64, count: Int) -> IOResult {
        var position = off_t(offset)
        while true {
            let sent = BrokenPipe.withoutSignal { sendfile(descriptor.number, file.number, &position, count) }
            if sent > 0 { return .bytes(sent) }
            if sent == 0 { return .ended }
            if let result = Self.failure() { return result }
        }
    }

    /// Whether the peer has said nothing since the last response, and not closed: what a kept connection must be.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor.number, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EINTR)
    }

    /// The result of a call that failed, or `nil` when it was only interrupted.
    private static func failure() -> IOResult? {
        switch errno {
        case EINTR: nil
        case EAGAIN: .blocked
        default: .failed(errno)
        }
    }

    // MARK: The ends

    /// Ends our direction, or both.
    func shutDown(both: Bool) {
        _ = shutdown(descriptor.number, Int32(both ? SHUT_RDWR : SHUT_WR))
    }

    /// The result of connecting: 0 for success, the system's error otherwise; `EINPROGRESS` while it continues.
    var connectResult: Int32 {
        // Only a socket that is connected has a peer.
        guard remoteEndpoint == nil else { return 0 }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor.number, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
        return code == 0 ? EINPROGRESS : code
    }

    /// Our end.
    var localEndpoint: Endpoint? { Endpoint(descriptor, getsockname) }

    /// The peer's end; `nil` when there is no connection.
    var remoteEndpoint: Endpoint? { Endpoint(descriptor, getpeername) }

    /// Lets OpenSSL, which reads and writes the descriptor itself, have its number for the life of the socket.
    var number: Int32 { descriptor.number }
}
