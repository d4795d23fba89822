/// The progress of a selection of transfers.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes that were transferred and will not be transferred again.
    public var completedBytes: Int64 = 0
    /// The number of bytes of all transfers; `nil` while that of any transfer is unknown.
    public var totalBytes: Int64?
    /// The smoothed rate in bytes per second.
    public var bytesPerSecond = 0.0
    /// The remaining time at this rate, in seconds; `nil` if the total is unknown or nothing is transferred.
    public var secondsLeft: Double?
    /// The number of transfers in each state.
    public var counts: [TransferState: Int] = [:]

    /// The number of transfers.
    public var count: Int { counts.values.reduce(0, +) }
    /// Whether all transfers have ended.
    public var isFinished: Bool { counts.keys.allSatisfy(\.isFinal) }
    /// The fraction of bytes that were transferred, from 0 to 1; `nil` if the total is unknown.
    public var fractionCompleted: Double? {
        totalBytes.map { $0 > 0 ? min(1, Double(completedBytes) / Double($0)) : 1 }
    }
}
