internal import AirframeWire
internal import CSocket
internal import Synchronization

/// The readiness of one descriptor.
///
/// A class, because the kernel holds its address while the descriptor is registered. It does not own the descriptor,
/// and may outlive it by one turn of the reactor.
final class Readiness: Sendable {
    /// Reads the descriptor on the thread that polls. Must not block. Returns the number of tasks that it has resumed.
    typealias Listener = @Sendable () -> Int

    /// A function in a structure: each access to a function that a generic type stores directly wraps it anew.
    private struct Registration {
        let listener: Listener
    }

    let reading = ReadySlot()
    let writing = ReadySlot()
    /// The slot of a reader that waits for room to write: a slot holds one task, and the writer may wait as well.
    let roomForReading = ReadySlot()
    private let ended = Atomic(false)
    /// The priority of the task that waited last, in either direction.
    private let priority = Atomic<UInt8>(TaskPriority.medium.rawValue)
    /// The reader of the task that waits for input.
    private let aheadReader = Atomic<Unmanaged<AheadReader>?>(nil)
    /// Whether there is a listener. A copy that can be read without the lock.
    private let hasListener = Atomic(false)
    // Guards the listener.
    private let listener = Mutex<Registration?>(nil)
    // Guards the alarm, which is stored once.
    private let endAlarm = Mutex<Alarm?>(nil)

    /// Whether the peer has ended its direction, or the connection broke. Unread bytes may precede the end.
    ///
    /// Edges are reported once: if the end was reported together with bytes, no later event reports it.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// Takes the task that waits for input, and reads for it. Returns `nil` if no task allows that.
    ///
    /// ``signal(_:claimed:)`` must resume the task.
    func readAhead(_ events: UInt32) -> ReadySlot.Continuation? {
        guard
            events & airframe_epoll_readable != 0, aheadReader.load(ordering: .relaxed) != nil,
            let task = reading.claim()
        else { return nil }
        // The task, which is suspended until it is resumed, keeps the reader alive.
        aheadReader.exchange(nil, ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.readAhead() }
        return task
    }

    /// Sets the reader for the task that is about to wait for input; `nil` once the task has resumed.
    func setAheadReader(_ reader: AheadReader?) {
        aheadReader.store(reader.map { Unmanaged.passUnretained($0) }, ordering: .releasing)
    }

    /// Handles the kernel's `events`.
    ///
    /// - Parameter reader: The task that ``readAhead(_:)`` has taken for these events.
    /// - Returns: The number of resumed tasks, and the priority of the last one that has waited.
    func signal(_ events: UInt32, claimed reader: ReadySlot.Continuation? = nil) -> (count: Int, priority: UInt8) {
        if events & airframe_epoll_ended != 0 {
            ended.store(true, ordering: .releasing)
            endAlarm.withLock { $0 }?.set(Monotonic.now)
        }
        reader?.resume()
        var count = reader == nil ? 0 : 1
        if reader == nil, events & airframe_epoll_readable != 0 { count += signalReading() }
        if events & airframe_epoll_writable != 0 {
            if writing.signal() { count += 1 }
            if roomForReading.signal() { count += 1 }
        }
        return (count, max(1, priority.load(ordering: .relaxed)))
    }

    private func signalReading() -> Int {
        let count = reading.signal() ? 1 : 0
        guard hasListener.load(ordering: .acquiring), let listener = listener.withLock({ $0?.listener }) else {
            return count
        }
        return count + listener()
    }

    /// Sets the listener that the holder of the poll calls whenever the descriptor becomes readable. The slot is ready
    /// then, unless a task waits in it.
    func listen(_ listener: @escaping Listener) {
        self.listener.withLock { $0 = Registration(listener: listener) }
        hasListener.store(true, ordering: .releasing)
    }

    /// Records that a task with `priority` is about to wait.
    func noteWaiter(_ priority: TaskPriority) {
        if self.priority.load(ordering: .relaxed) != priority.rawValue {
            self.priority.store(priority.rawValue, ordering: .relaxed)
        }
    }

    /// Fires `alarm` when the peer ends its direction or the connection breaks.
    func ringAtEnd(_ alarm: Alarm) { endAlarm.withLock { $0 = alarm } }

    /// Wakes waiting tasks, so that they check their limits and interruptions.
    func rouse() {
        reading.signal()
        writing.signal()
        roomForReading.signal()
    }
}
