/// The state of a transfer.
public enum TransferState: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The transfer waits for a place, its conditions, its dependencies or the next attempt.
    case waiting = 0
    /// A process runs the transfer.
    case running = 1
    /// The transfer waits for ``TransferQueue/resume(_:)``.
    case paused = 2
    /// The transfer has completed.
    case completed = 3
    /// The transfer has failed and is not retried.
    case failed = 4
    /// The transfer was cancelled.
    case cancelled = 5

    /// The name of the state.
    public var description: String {
        switch self {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .completed: "completed"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    /// Whether the transfer has ended.
    public var isFinal: Bool { rawValue >= TransferState.completed.rawValue }
}
