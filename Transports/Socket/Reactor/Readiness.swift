internal import CSocket
internal import Synchronization

/// What the reactor knows of one descriptor.
///
/// A class, because the kernel holds its address while the descriptor is registered. It owns nothing: it may outlive
/// its descriptor by a turn of the reactor.
final class Readiness: Sendable {
    let reading = ReadySlot()
    let writing = ReadySlot()
    private let ended = Atomic(false)
    // Guards the alarm, which is set once.
    private let endAlarm = Mutex<Alarm?>(nil)

    /// Whether the peer has ended its direction, or the connection broke. There may be bytes before the end.
    ///
    /// An edge comes once: when the end was told together with bytes, nothing else tells that there is more to read.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// The kernel reports `events`. Returns whether a task was woken.
    func signal(_ events: UInt32) -> Bool {
        if events & airframe_epoll_ended != 0 {
            ended.store(true, ordering: .releasing)
            endAlarm.withLock { $0 }?.set(Monotonic.now)
        }
        let hasReader = events & airframe_epoll_readable != 0 && reading.signal()
        let hasWriter = events & airframe_epoll_writable != 0 && writing.signal()
        return hasReader || hasWriter
    }

    /// Rings `alarm` when the peer ends its direction or the connection breaks.
    func ringAtEnd(_ alarm: Alarm) { endAlarm.withLock { $0 = alarm } }

    /// Wakes the tasks that wait, to check their limits and whether they are to give up.
    func rouse() {
        reading.signal()
        writing.signal()
    }
}
