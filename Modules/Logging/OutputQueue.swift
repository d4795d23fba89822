internal import Dispatch
internal import Synchronization

/// Lines on their way to a sink that may be slow.
///
/// Whoever adds a line goes on at once: the sink is called on a queue of its own, one line after the other. What waits is
/// bounded; lines that find the queue full are dropped, and the sink is told how many were once it has caught up.
final class OutputQueue<Line: Sendable>: Sendable {
    private struct State {
        var waiting: [Line] = []
        var droppedCount = 0
        var isWriting = false
    }

    private let queue: DispatchQueue
    private let capacity: Int
    private let write: @Sendable (Line) -> Void
    private let noteDropped: @Sendable (Int, Line) -> Void
    // Guards the lines that wait. Nothing is called while it is held.
    private let state = Mutex(State())

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - label: The name of the dispatch queue.
    ///   - capacity: How many lines may wait.
    ///   - write: The sink.
    ///   - noteDropped: Told how many lines were dropped, and the last one that was written before.
    init(
        label: String,
        capacity: Int,
        write: @escaping @Sendable (Line) -> Void,
        noteDropped: @escaping @Sendable (Int, Line) -> Void
    ) {
        queue = DispatchQueue(label: label)
        self.capacity = max(1, capacity)
        self.write = write
        self.noteDropped = noteDropped
    }

    /// Adds a line, or drops it when too many wait.
    func add(_ line: Line) {
        let mustStart = state.withLock { state in
            guard state.waiting.count < capacity else {
                state.droppedCount += 1
                return false
            }
            state.waiting.append(line)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if mustStart { queue.async { self.writeAll() } }
    }

    /// Returns once everything that was added before has been written or dropped.
    func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func writeAll() {
        while true {
            let (lines, droppedCount) = state.withLock { state in
                defer { (state.waiting, state.droppedCount) = ([], 0) }
                if state.waiting.isEmpty { state.isWriting = false }
                return (state.waiting, state.droppedCount)
            }
            guard let last = lines.last else { return }
            for line in lines { write(line) }
            if droppedCount > 0 { noteDropped(droppedCount, last) }
        }
    }
}
