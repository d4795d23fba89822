internal import Synchronization

/// A point in time at which an action runs, mostly one that wakes a task.
///
/// Made once and set again and again. An alarm that is set to a later time keeps its place in the heap and is moved
/// when that place comes up: limits that move with every request, or every byte, cost a store.
final class Alarm: Sendable {
    /// When it is to ring, in nanoseconds of the monotonic clock; `.max` for never.
    private let due = Atomic<Int64>(.max)
    /// For when it is in the heap; `.max` when it is not.
    let entered = Atomic<Int64>(.max)
    /// Its place in the heap; guarded by the heap's lock.
    let place = Atomic<Int>(-1)

    private let heap: AlarmHeap
    private let action: @Sendable () -> Void

    /// - Parameter action: Runs on the reactor's thread, without a lock held. It must not block.
    init(_ heap: AlarmHeap, action: @escaping @Sendable () -> Void) {
        self.heap = heap
        self.action = action
    }

    /// Sets the time at which it rings, once. `.max` silences it.
    func set(_ time: Int64) {
        // In this order, and sequentially consistent, because `checkDue` does it the other way round: one sees the
        // other.
        due.store(time, ordering: .sequentiallyConsistent)
        if time < entered.load(ordering: .sequentiallyConsistent) { heap.enter(self, for: time) }
    }

    /// Silences it and takes it out of the heap.
    func cancel() {
        due.store(.max, ordering: .relaxed)
        if entered.load(ordering: .relaxed) != .max { heap.remove(self) }
    }

    /// When it is to ring, asked by the heap once its place has come up.
    var nextDue: Int64 { due.load(ordering: .sequentiallyConsistent) }

    /// Runs the action. The time that it was set to stays: a caller that sets it anew at this moment must not be
    /// overwritten.
    func ring() { action() }
}
