internal import AirframeTransport
internal import CCurl
internal import Glibc

/// The descriptors that the loop waits for: an epoll set, and an eventfd that wakes it.
///
/// A class, because the loop and its engine share its descriptors. Any thread may change the set or wake the loop. One
/// thread waits and owns the buffer.
final class Poller {
    /// A descriptor that is ready.
    struct Ready {
        let token: UInt64
        let events: UInt32
    }

    private static let capacity = 256
    private static let wakeToken = UInt64.max

    private let set: Int32
    private let bell: Int32
    private let buffer: UnsafeMutablePointer<epoll_event>

    init() throws(TransportError) {
        let set = epoll_create1(airframe_epoll_cloexec)
        guard set >= 0 else { throw Self.failure("epoll_create1") }
        let bell = eventfd(0, airframe_eventfd_flags)
        guard bell >= 0 else {
            let error = Self.failure("eventfd")
            close(set)
            throw error
        }
        self.set = set
        self.bell = bell
        buffer = .allocate(capacity: Self.capacity)
        buffer.initialize(repeating: epoll_event(), count: Self.capacity)
        var event = epoll_event(events: airframe_epoll_in, data: epoll_data_t(u64: Self.wakeToken))
        epoll_ctl(set, EPOLL_CTL_ADD, bell, &event)
    }

    deinit {
        close(set)
        close(bell)
        buffer.deallocate()
    }

    /// Watches `descriptor` for `events`, whether it was watched before or not.
    func watch(_ descriptor: Int32, for events: UInt32, token: UInt64, isNew: Bool) {
        var event = epoll_event(events: events, data: epoll_data_t(u64: token))
        guard epoll_ctl(set, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) != 0 else { return }
        // The number may have passed to another socket unnoticed.
        if errno == ENOENT {
            epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event)
        } else if errno == EEXIST {
            epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event)
        }
    }

    /// Stops watching `descriptor`.
    func forget(_ descriptor: Int32) {
        var event = epoll_event()
        epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Wakes the waiting thread, or ends its next wait immediately.
    func wake() {
        var one: UInt64 = 1
        _ = write(bell, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits until a descriptor is ready, `wake()` is called or `milliseconds` (-1: no end) have passed.
    func wait(milliseconds: Int32, into ready: inout [Ready]) {
        ready.removeAll(keepingCapacity: true)
        let count = epoll_wait(set, buffer, Int32(Self.capacity), milliseconds)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = buffer[index]
            if event.data.u64 == Self.wakeToken {
                silence()
            } else {
                ready.append(Ready(token: event.data.u64, events: event.events))
            }
        }
    }

    /// Waits for `wake()` only.
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
