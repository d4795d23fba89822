internal import Synchronization

/// A timer that runs an action, usually one that wakes a task.
///
/// An alarm is created once and set many times. An alarm that is set to a later time keeps its position in the heap,
/// and moves when that position is reached: a limit that moves with every request or byte then costs one store.
final class Alarm: Sendable {
    /// When the alarm fires, in nanoseconds of the monotonic clock; `.max` for never.
    private let due = Atomic<Int64>(.max)
    /// The time with which the alarm is in the heap; `.max` if it is not in the heap.
    let entered = Atomic<Int64>(.max)
    /// The index in the heap; guarded by the heap's lock.
    let place = Atomic<Int>(-1)

    private let heap: AlarmHeap
    private let action: @Sendable () -> Void

    /// - Parameter action: The action, which runs on the reactor's thread without a lock held. It must not block.
    init(_ heap: AlarmHeap, action: @escaping @Sendable () -> Void) {
        self.heap = heap
        self.action = action
    }

    /// Sets the time at which the alarm fires once. `.max` disarms it.
    func set(_ time: Int64) {
        // Store `due`, then load `entered`, sequentially consistent; the heap does the reverse. One of the two always
        // sees the other's store.
        due.store(time, ordering: .sequentiallyConsistent)
        if time < entered.load(ordering: .sequentiallyConsistent) { heap.enter(self, for: time) }
    }

    /// Sets the time at which the alarm fires, unless it already fires earlier. After it has fired, the earlier time is
    /// over: the alarm then fires at `time`.
    func bringForward(to time: Int64) {
        due.min(time, ordering: .sequentiallyConsistent)
        if time < entered.load(ordering: .sequentiallyConsistent) { heap.enter(self, for: time) }
    }

    /// Disarms the alarm and removes it from the heap.
    func cancel() {
        due.store(.max, ordering: .relaxed)
        if entered.load(ordering: .relaxed) != .max { heap.remove(self) }
    }

    /// When the alarm fires. The heap reads it when the alarm's position is reached.
    var nextDue: Int64 { due.load(ordering: .sequentiallyConsistent) }

    /// Runs the action. This does not reset the time, which would overwrite a concurrent `set(_:)`.
    func ring() { action() }
}
