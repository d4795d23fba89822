internal import Dispatch
internal import Synchronization

/// A queue of lines for a sink that may be slow.
///
/// Adding a line does not wait: the sink is called on its own queue, one line after the other. The number of
/// waiting lines is bounded. Lines beyond it are dropped, and their number is reported to the sink once it has caught
/// up.
final class OutputQueue<Line: Sendable>: Sendable {
    private struct Backlog {
        var waiting: [Line] = []
        var droppedCount = 0
        var isWriting = false
    }

    private let queue: DispatchQueue
    private let capacity: Int
    private let write: @Sendable (Line) -> Void
    private let noteDropped: @Sendable (Int, Line) -> Void
    // Guards the waiting lines. Nothing is called while the lock is held.
    private let backlog = Mutex(Backlog())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - label: The name of the dispatch queue.
    ///   - capacity: The maximum number of waiting lines.
    ///   - write: The sink.
    ///   - noteDropped: Receives the number of dropped lines, and the last line that was written before them.
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

    /// Adds a line, or drops it if too many wait.
    func add(_ line: Line) {
        let mustStart = backlog.withLock { backlog in
            guard backlog.waiting.count < capacity else {
                backlog.droppedCount += 1
                return false
            }
            backlog.waiting.append(line)
            defer { backlog.isWriting = true }
            return !backlog.isWriting
        }
        if mustStart { queue.async { self.writeAll() } }
    }

    /// Returns once all earlier lines have been written or dropped.
    func flush() async {
        await withCheckedContinuation { continuation in
            queue.async {
                // A thread that has added a line may not have started the writing yet.
                self.writeAll()
                continuation.resume()
            }
        }
    }

    private func writeAll() {
        while true {
            let (lines, droppedCount) = backlog.withLock { backlog in
                defer { (backlog.waiting, backlog.droppedCount) = ([], 0) }
                if backlog.waiting.isEmpty { backlog.isWriting = false }
                return (backlog.waiting, backlog.droppedCount)
            }
            guard let last = lines.last else { return }
            for line in lines { write(line) }
            if droppedCount > 0 { noteDropped(droppedCount, last) }
        }
    }
}
