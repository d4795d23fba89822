internal import AirframeWire
internal import CSocket
internal import Synchronization

/// What the reactor knows of one descriptor.
///
/// A class, because the kernel holds its address while the descriptor is registered. It owns nothing: it may outlive
/// its descriptor by a turn of the reactor.
final class Readiness: Sendable {
    /// Reads the descriptor where the poll is. Must not block. Returns whether it has resumed tasks.
    typealias Listener = @Sendable () -> Bool

    let reading = ReadySlot()
    let writing = ReadySlot()
    private let ended = Atomic(false)
    /// The priority of the task that waited last, for either direction.
    private let priority = Atomic<UInt8>(TaskPriority.medium.rawValue)
    /// Whether there is a listener; a copy that can be read without the lock.
    private let hasListener = Atomic(false)
    // Guards the listener.
    private let listener = Mutex<Listener?>(nil)
    // Guards the alarm, which is set once.
    private let endAlarm = Mutex<Alarm?>(nil)

    /// Whether the peer has ended its direction, or the connection broke. There may be bytes before the end.
    ///
    /// An edge comes once: when the end was told together with bytes, nothing else tells that there is more to read.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// The kernel reports `events`. Returns the priority of the task that was resumed, 0 for none.
    func signal(_ events: UInt32) -> UInt8 {
        if events & airframe_epoll_ended != 0 {
            ended.store(true, ordering: .releasing)
            endAlarm.withLock { $0 }?.set(Monotonic.now)
        }
        let hasReader = events & airframe_epoll_readable != 0 && signalReading()
        let hasWriter = events & airframe_epoll_writable != 0 && writing.signal()
        return hasReader || hasWriter ? max(1, priority.load(ordering: .relaxed)) : 0
    }

    private func signalReading() -> Bool {
        let hasResumed = reading.signal()
        guard hasListener.load(ordering: .acquiring), let listener = listener.withLock({ $0 }) else {
            return hasResumed
        }
        return listener() || hasResumed
    }

    /// Has `listener` called, by the holder of the turn to poll, each time that the descriptor becomes readable. The slot is
    /// ready then, unless a task waits there.
    func listen(_ listener: @escaping Listener) {
        self.listener.withLock { $0 = listener }
        hasListener.store(true, ordering: .releasing)
    }

    /// Records that a task with `priority` is about to wait.
    func noteWaiter(_ priority: TaskPriority) {
        if self.priority.load(ordering: .relaxed) != priority.rawValue {
            self.priority.store(priority.rawValue, ordering: .relaxed)
        }
    }

    /// Rings `alarm` when the peer ends its direction or the connection breaks.
    func ringAtEnd(_ alarm: Alarm) { endAlarm.withLock { $0 = alarm } }

    /// Wakes the tasks that wait, to check their limits and whether they are to give up.
    func rouse() {
        reading.signal()
        writing.signal()
    }
}
