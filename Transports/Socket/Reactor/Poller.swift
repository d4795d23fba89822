internal import AirframeTransport
internal import AirframeWire
internal import CSocket
internal import Glibc
internal import Synchronization

/// The descriptors that a reactor waits for: an epoll set, and an eventfd that wakes it.
///
/// A second set, the gate, contains the first one. While the poll is lent to the pool (``LentPoll``), the thread waits
/// on the gate. The first set is registered with `EPOLLONESHOT`, and ``announceReadiness()`` rearms it: returning the
/// poll takes one system call, and wakes the thread only if a descriptor is ready.
///
/// A class, because the reactor's thread may outlive the reactor briefly and uses the same descriptors. Any thread may
/// change the set or wake the waiting thread.
final class Poller: Sendable {
    /// The buffer for the kernel's events.
    ///
    /// `@unchecked Sendable`: the buffer is confined to the holder of the poll.
    struct Events: ~Copyable, @unchecked Sendable {
        fileprivate static let capacity = 256
        /// The number of descriptors that are read ahead before their tasks are resumed. Few enough that the tasks do
        /// not wait long, if other threads could run them meanwhile.
        fileprivate static let turnLength = 16
        /// The number of ready descriptors from which they are read ahead.
        fileprivate static let crowd = 4

        fileprivate let buffer = UnsafeMutablePointer<epoll_event>.allocate(capacity: Events.capacity)
        /// The tasks of a turn whose input has been read ahead.
        fileprivate let readers = UnsafeMutablePointer<ReadySlot.Continuation?>.allocate(capacity: Events.turnLength)

        init() {
            buffer.initialize(repeating: epoll_event(), count: Self.capacity)
            readers.initialize(repeating: nil, count: Self.turnLength)
        }

        deinit {
            buffer.deallocate()
            readers.deallocate()
        }

        /// Calls `body` with the readiness of an event and the kernel's bits; returns `nil` for the eventfd.
        fileprivate func with<Result>(_ index: Int, _ body: (Readiness, UInt32) -> Result?) -> Result? {
            guard let address = buffer[index].data.ptr else { return nil }
            let bits = buffer[index].events
            return Unmanaged<Readiness>.fromOpaque(address)._withUnsafeGuaranteedRef { body($0, bits) }
        }
    }

    private let set: Descriptor
    private let gate: Descriptor
    private let bell: Descriptor
    /// Whether the thread waits or is about to. Only then must it be woken, which is a system call.
    private let isAsleep = Atomic(false)

    init() throws(TransportError) {
        set = Descriptor(epoll_create1(airframe_epoll_cloexec))
        guard set.isOpen else { throw Self.failure("epoll_create1") }
        gate = Descriptor(epoll_create1(airframe_epoll_cloexec))
        guard gate.isOpen else { throw Self.failure("epoll_create1") }
        bell = Descriptor(eventfd(0, airframe_eventfd_flags))
        guard bell.isOpen else { throw Self.failure("eventfd") }
        // Also edge-triggered, so that the eventfd's count need not be read.
        var event = epoll_event(events: airframe_epoll_bell, data: epoll_data_t(ptr: nil))
        guard
            epoll_ctl(set.number, EPOLL_CTL_ADD, bell.number, &event) == 0,
            epoll_ctl(gate.number, EPOLL_CTL_ADD, bell.number, &event) == 0
        else { throw Self.failure("epoll_ctl") }
        event.events = airframe_epoll_silent
        guard epoll_ctl(gate.number, EPOLL_CTL_ADD, set.number, &event) == 0 else { throw Self.failure("epoll_ctl") }
    }

    /// Registers `descriptor`, whose events are reported to `readiness`. The object must live until ``remove(_:)`` has
    /// been called and the thread has returned from its next wait. Returns the system's error code, or 0.
    func add(_ descriptor: borrowing Descriptor, _ readiness: Unmanaged<Readiness>) -> Int32 {
        var event = epoll_event(events: airframe_epoll_watch, data: epoll_data_t(ptr: readiness.toOpaque()))
        return epoll_ctl(set.number, EPOLL_CTL_ADD, descriptor.number, &event) == 0 ? 0 : errno
    }

    /// Unregisters `descriptor`. Closing it is not enough: a child process may have inherited it.
    func remove(_ descriptor: borrowing Descriptor) {
        var event = epoll_event()
        epoll_ctl(set.number, EPOLL_CTL_DEL, descriptor.number, &event)
    }

    /// Wakes the waiting thread, or makes its next wait return immediately.
    func wake() {
        guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = write(bell.number, &one, MemoryLayout<UInt64>.size)
    }

    /// Announces that the thread is about to wait. From now on, callers that enqueue work wake it.
    func prepareToWait() { isAsleep.store(true, ordering: .sequentiallyConsistent) }

    /// Waits until a descriptor is ready, ``wake()`` is called or the time (`nil` for no limit) has passed, and reports
    /// ready descriptors. Returns the highest priority of the resumed tasks; `nil` if there were none.
    func wait(_ events: borrowing Events, nanoseconds: Int64?) -> TaskPriority? {
        let milliseconds = nanoseconds.map { Monotonic.milliseconds($0) } ?? -1
        let count = epoll_wait(set.number, events.buffer, Int32(Events.capacity), milliseconds)
        isAsleep.store(false, ordering: .relaxed)
        return Self.signal(events, count)
    }

    /// Waits until a descriptor is ready or the time has passed, and reports ready descriptors.
    ///
    /// ``wake()`` ends the wait if the thread is asleep as well.
    func poll(_ events: borrowing Events, waiting nanoseconds: Int) -> TaskPriority? {
        // epoll_wait(2) counts milliseconds, and epoll_pwait2(2) needs Linux 5.11.
        if nanoseconds > 0, airframe_socket_poll(set.number, Int16(POLLIN), nanoseconds) <= 0 { return nil }
        return Self.signal(events, epoll_wait(set.number, events.buffer, Int32(Events.capacity), 0))
    }

    private static func signal(_ events: borrowing Events, _ count: Int32) -> TaskPriority? {
        let count = max(0, Int(count))
        let isCrowd = count >= Events.crowd
        var highest: UInt8 = 0
        var resumedCount = 0
        for start in stride(from: 0, to: count, by: Events.turnLength) {
            let turn = start..<min(start + Events.turnLength, count)
            if isCrowd {
                for index in turn { events.readers[index - start] = events.with(index) { $0.readAhead($1) } }
            }
            for index in turn {
                let reader = isCrowd ? events.readers[index - start] : nil
                guard
                    let resumed = events.with(index, { $0.signal($1, claimed: reader) }),
                    resumed.count > 0
                else { continue }
                highest = max(highest, resumed.priority)
                resumedCount += resumed.count
            }
        }
        ResumedTasks.shared.note(count: resumedCount)
        return highest == 0 ? nil : TaskPriority(rawValue: highest)
    }

    // MARK: The gate

    /// Waits until ``wake()`` is called, the time has passed, or a descriptor is ready after ``announceReadiness()``.
    func waitForReturn(nanoseconds: Int64) {
        var event = epoll_event()
        _ = epoll_wait(gate.number, &event, 1, Monotonic.milliseconds(nanoseconds))
        isAsleep.store(false, ordering: .relaxed)
    }

    /// Makes ``waitForReturn(nanoseconds:)`` return once a descriptor is ready.
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
