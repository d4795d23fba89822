/// How far the transfers of a selection have come.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes that arrived and will not be transferred again.
    public var completedBytes: Int64 = 0
    /// The number of bytes of all transfers; `nil` as long as one of them does not know its own.
    public var totalBytes: Int64?
    /// The smoothed rate in bytes per second.
    public var bytesPerSecond = 0.0
    /// The time left at this rate, in seconds; `nil` when the total is unknown or nothing moves.
    public var secondsLeft: Double?
    /// The number of transfers in each state.
    public var counts: [TransferState: Int] = [:]

    /// The number of transfers.
    public var count: Int { counts.values.reduce(0, +) }
    /// Whether all transfers have ended.
    public var isFinished: Bool { counts.keys.allSatisfy(\.isFinal) }
    /// The share of bytes that arrived, from 0 to 1; `nil` when the total is unknown.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 > 0 ? min(1, Double(completedBytes) / Double($0)) : 1 }
    }
}
