internal import AirframeTransport
internal import CSocket
internal import Glibc
internal import Synchronization

/// The descriptors that a reactor waits for: an epoll set, and an eventfd that wakes it.
///
/// A class, because the reactor's thread outlives the reactor by a moment, and shares the descriptors that this owns.
/// Any thread may change the set or wake the one thread that waits.
final class Poller: Sendable {
    /// Room for what the kernel reports at once.
    struct Events: ~Copyable {
        fileprivate static let capacity = 256
        fileprivate let buffer = UnsafeMutablePointer<epoll_event>.allocate(capacity: Events.capacity)

        init() { buffer.initialize(repeating: epoll_event(), count: Self.capacity) }

        deinit { buffer.deallocate() }
    }

    private let set: Descriptor
    private let bell: Descriptor
    /// Whether the thread waits, or is about to: only then must it be woken, which is a system call.
    private let isAsleep = Atomic(false)

    init() throws(TransportError) {
        set = Descriptor(epoll_create1(airframe_epoll_cloexec))
        guard set.isOpen else { throw Self.failure("epoll_create1") }
        bell = Descriptor(eventfd(0, airframe_eventfd_flags))
        guard bell.isOpen else { throw Self.failure("eventfd") }
        // Edge-triggered as well, so that its count need not be read back.
        var event = epoll_event(events: airframe_epoll_bell, data: epoll_data_t(ptr: nil))
        guard epoll_ctl(set.number, EPOLL_CTL_ADD, bell.number, &event) == 0 else { throw Self.failure("epoll_ctl") }
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
    /// what has. Returns whether a task was woken.
    func wait(_ events: borrowing Events, nanoseconds: Int64?) -> Bool {
        // Rounded up: a limit that is looked at too early has to be waited for again.
        let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        let count = epoll_wait(set.number, events.buffer, Int32(Events.capacity), milliseconds)
        isAsleep.store(false, ordering: .relaxed)
        guard count > 0 else { return false }
        var hasWoken = false
        for index in 0..<Int(count) {
            guard let address = events.buffer[index].data.ptr else { continue }
            let bits = events.buffer[index].events
            let isAwaited = Unmanaged<Readiness>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.signal(bits) }
            hasWoken = hasWoken || isAwaited
        }
        return hasWoken
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
