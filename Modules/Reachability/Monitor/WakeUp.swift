internal import CNetlink
internal import Glibc

/// Wakes a thread that waits in `poll`.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(NetworkPathError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw NetworkPathError("make a wake-up descriptor", code: errno) }
    }

    deinit { close(descriptor) }

    /// Wakes the thread, now or in its next `poll`.
    func ring() {
        eventfd_write(descriptor, 1)
    }

    /// Clears the signal.
    func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }
}
