internal import AirframeTransport
internal import CCurl
internal import Glibc

/// The descriptors that the loop waits for: an epoll set, and an eventfd that wakes it.
///
/// A second set, the gate, holds the first one. While the poll is lent to the pool (``LentPoll``), the thread waits there.
/// The first set is registered to be reported once, each time that ``announceReadiness()`` asks for it.
///
/// A class, because the loop and its engine share the descriptors that it owns. Any thread may change the set or wake
/// the loop; the buffer belongs to the holder of the turn to poll.
final class Poller {
    /// A descriptor that is ready.
    struct Ready {
        let token: UInt64
        let events: UInt32
    }

    private static let capacity = 256
    private static let wakeToken = UInt64.max

    private let set: Int32
    private let gate: Int32
    private let bell: Int32
    private let buffer: UnsafeMutablePointer<epoll_event>

    init() throws(TransportError) {
        let set = epoll_create1(airframe_epoll_cloexec)
        guard set >= 0 else { throw Self.failure("epoll_create1") }
        let gate = epoll_create1(airframe_epoll_cloexec)
        guard gate >= 0 else {
            let error = Self.failure("epoll_create1")
            close(set)
            throw error
        }
        let bell = eventfd(0, airframe_eventfd_flags)
        guard bell >= 0 else {
            let error = Self.failure("eventfd")
            close(set)
            close(gate)
            throw error
        }
        self.set = set
        self.gate = gate
        self.bell = bell
        buffer = .allocate(capacity: Self.capacity)
        buffer.initialize(repeating: epoll_event(), count: Self.capacity)
        var event = epoll_event(events: airframe_epoll_in, data: epoll_data_t(u64: Self.wakeToken))
        epoll_ctl(set, EPOLL_CTL_ADD, bell, &event)
        epoll_ctl(gate, EPOLL_CTL_ADD, bell, &event)
        event.events = airframe_epoll_silent
        event.data.u64 = 0
        epoll_ctl(gate, EPOLL_CTL_ADD, set, &event)
    }

    deinit {
        close(gate)
        close(set)
        close(bell)
        buffer.deallocate()
    }

    /// Watches `descriptor` for `events`, whether it was watched before or not.
    func watch(_ descriptor: Int32, for events: UInt32, token: UInt64, isNew: Bool) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: token))
        guard epoll_ctl(set, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) != 0 else { return }
        // The number may have passed from one socket to another without our knowing.
        if errno == ENOENT {
            epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event)
        } else if errno == EEXIST {
            epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event)
        }
    }

    /// Watches `descriptor` no longer.
    func forget(_ descriptor: Int32) {
        var event = epoll_event()
        epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Wakes the thread that waits, now or when it next does.
    func wake() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits until a descriptor is ready, `wake()` is called or `milliseconds` (-1: no end) have passed.
    func wait(milliseconds: Int32, into ready: inout [Ready]) {
        if collect(milliseconds, into: &ready) { silence() }
    }

    /// Returns in `ready` what is ready now. A call of `wake()` is left to the thread.
    func pollOnce(into ready: inout [Ready]) { _ = collect(0, into: &ready) }

    /// Returns whether `wake()` has been called.
    private func collect(_ milliseconds: Int32, into ready: inout [Ready]) -> Bool {
        ready.removeAll(keepingCapacity: true)
        var isWoken = false
        let count = epoll_wait(set, buffer, Int32(Self.capacity), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let event = buffer[index]
            if event.data.u64 == Self.wakeToken {
                isWoken = true
            } else {
                ready.append(Ready(token: event.data.u64, events: event.events))
            }
        }
        return isWoken
    }

    /// Waits until `wake()` is called, `milliseconds` have passed, or something is ready after ``announceReadiness()``.
    ///
    /// - Returns: Whether `wake()` was called. Until ``acceptWake()``, every wait ends at once.
    func waitForReturn(milliseconds: Int32) -> Bool {
        var event = epoll_event()
        return epoll_wait(gate, &event, 1, milliseconds) > 0 && event.data.u64 == Self.wakeToken
    }

    /// Takes note of calls of `wake()`.
    func acceptWake() { silence() }

    /// Has ``waitForReturn(milliseconds:)`` end once, as soon as something is ready, or at once if something is.
    func announceReadiness() {
        var event = epoll_event(events: airframe_epoll_once, data: epoll_data_t(u64: 0))
        epoll_ctl(gate, EPOLL_CTL_MOD, set, &event)
    }

    /// Waits for `wake()` and nothing else.
    func waitForWake() {
        var descriptor = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
        while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
        silence()
    }

    private func silence() {
        var count: UInt64 = 0
        _ = read(bell, &count, MemoryLayout<UInt64>.size)
    }

    private static func failure(_ call: String) -> TransportError {
        TransportError(
            .engineFailure,
            phase: .options,
            processing: .notSent,
            message: "\(call) failed: \(String(cString: strerror(errno)))"
        )
    }
}
