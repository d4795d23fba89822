/// Where a transfer stands.
public enum TransferState: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// It waits for a place, for its conditions, for transfers that it depends on, or for the next attempt.
    case waiting = 0
    /// A process carries it out.
    case running = 1
    /// It waits for ``TransferQueue/resume(_:)``.
    case paused = 2
    /// It has completed.
    case completed = 3
    /// It failed for good.
    case failed = 4
    /// It was cancelled.
    case cancelled = 5

    /// The state's name.
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
