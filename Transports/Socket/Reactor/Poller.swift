internal import AirframeTransport
internal import AirframeWire
internal import CSocket
internal import Glibc
internal import Synchronization

/// The descriptors that a reactor waits for: an epoll set, and an eventfd that wakes it.
///
/// A second set, the gate, holds the first one. While the poll is lent to the pool (``LentPoll``), the thread waits there. The
/// first set is registered to be reported once, each time that ``announceReadiness()`` asks for it: giving the turn back
/// takes one system call, and wakes the thread only when there is something to do.
///
/// A class, because the reactor's thread outlives the reactor by a moment, and shares the descriptors that this owns.
/// Any thread may change the set or wake the one thread that waits.
final class Poller: Sendable {
    /// Room for what the kernel reports at once.
    ///
    /// `@unchecked Sendable`: the buffer is confined to the holder of the turn to poll.
    struct Events: ~Copyable, @unchecked Sendable {
        fileprivate static let capacity = 256
        fileprivate let buffer = UnsafeMutablePointer<epoll_event>.allocate(capacity: Events.capacity)

        init() { buffer.initialize(repeating: epoll_event(), count: Self.capacity) }

        deinit { buffer.deallocate() }
    }

    private let set: Descriptor
    private let gate: Descriptor
    private let bell: Descriptor
    /// Whether the thread waits, or is about to: only then must it be woken, which is a system call.
    private let isAsleep = Atomic(false)

    init() throws(TransportError) {
        set = Descriptor(epoll_create1(airframe_epoll_cloexec))
        guard set.isOpen else { throw Self.failure("epoll_create1") }
        gate = Descriptor(epoll_create1(airframe_epoll_cloexec))
        guard gate.isOpen else { throw Self.failure("epoll_create1") }
        bell = Descriptor(eventfd(0, airframe_eventfd_flags))
        guard bell.isOpen else { throw Self.failure("eventfd") }
        // Edge-triggered as well, so that its count need not be read back.
        var event = epoll_event(events: airframe_epoll_bell, data: epoll_data_t(ptr: nil))
        guard
            epoll_ctl(set.number, EPOLL_CTL_ADD, bell.number, &event) == 0,
            epoll_ctl(gate.number, EPOLL_CTL_ADD, bell.number, &event) == 0
        else { throw Self.failure("epoll_ctl") }
        event.events = airframe_epoll_silent
        guard epoll_ctl(gate.number, EPOLL_CTL_ADD, set.number, &event) == 0 else { throw Self.failure("epoll_ctl") }
    }

    /// Reports what becomes of `descriptor` to `readiness`, which must live until ``remove(_:)`` has been called and
    /// the thread has come back from its wait once more. Returns the system's error, or 0.
    func add(_ descriptor: borrowing Descriptor, _ readiness: Unmanaged<Readiness>) -> Int32 {
        var event = epoll_event(events: airframe_epoll_watch, data: epoll_data_t(ptr: readiness.toOpaque()))
        return epoll_ctl(set.number, EPOLL_CTL_ADD, descriptor.number, &event) == 0 ? 0 : errno
    }

    /// Reports nothing more of `descriptor`. Closing it is not enough: a child process may have inherited it.
    func remove(_ descriptor: borrowing Descriptor) {
        var event = epoll_event()
        epoll_ctl(set.number, EPOLL_CTL_DEL, descriptor.number, &event)
    }

    /// Has the thread that waits return, or not wait at all.
    func wake() {
        guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = write(bell.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Says that the thread is about to wait. From now on, callers that leave something for it wake it.
    func prepareToWait() { isAsleep.store(true, ordering: .sequentiallyConsistent) }

    /// Waits until something has become ready, ``wake()`` is called or the time (`nil`: no end) is over, and passes on
    /// what has. Returns the highest priority of the tasks that were resumed; `nil` if there were none.
    func wait(_ events: borrowing Events, nanoseconds: Int64?) -> TaskPriority? {
        let milliseconds = nanoseconds.map { Monotonic.milliseconds($0) } ?? -1
        let count = epoll_wait(set.number, events.buffer, Int32(Events.capacity), milliseconds)
        isAsleep.store(false, ordering: .relaxed)
        return Self.signal(events, count)
    }

    /// Passes on what is ready, without a wait.
    func poll(_ events: borrowing Events) -> TaskPriority? {
        Self.signal(events, epoll_wait(set.number, events.buffer, Int32(Events.capacity), 0))
    }

    private static func signal(_ events: borrowing Events, _ count: Int32) -> TaskPriority? {
        guard count > 0 else { return nil }
        var highest: UInt8 = 0
        for index in 0..<Int(count) {
            guard let address = events.buffer[index].data.ptr else { continue }
            let bits = events.buffer[index].events
            let priority = Unmanaged<Readiness>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.signal(bits) }
            highest = max(highest, priority)
        }
        return highest == 0 ? nil : TaskPriority(rawValue: highest)
    }

    // MARK: The gate

    /// Waits until ``wake()`` is called, the time is over, or something is ready after ``announceReadiness()``.
    func waitForReturn(nanoseconds: Int64) {
        var event = epoll_event()
        _ = epoll_wait(gate.number, &event, 1, Monotonic.milliseconds(nanoseconds))
        isAsleep.store(false, ordering: .relaxed)
    }

    /// Has ``waitForReturn(nanoseconds:)`` end once, as soon as something is ready, or at once if something is.
    func announceReadiness() {
        var event = epoll_event(events: airframe_epoll_once, data: epoll_data_t(ptr: nil))
        epoll_ctl(gate.number, EPOLL_CTL_MOD, set.number, &event)
    }

    private static func failure(_ call: String) -> TransportError {
        TransportError(
            .engineFailure,
            phase: .options,
            processing: .notSent,
            message: "\(call) failed: \(SystemError.text(errno))"
        )
    }
}
