public import Foundation

/// Something that happened to a transfer of this process's queue.
public struct TransferEvent: Sendable {
    /// What can happen. More may come: switch with a `default`.
    public enum Kind: Sendable {
        /// It was added.
        case added
        /// An attempt began, with this number of bytes there already.
        case started(completedBytes: Int64)
        /// An attempt ended before the transfer did: it was paused, its conditions ended, or the queue stopped.
        case stopped
        /// An attempt failed; the next one is due at the date.
        case retrying(TransferError, at: Date)
        /// The transfer has completed.
        case completed(TransferMetrics)
        /// The transfer failed for good.
        case failed(TransferError)
        /// The transfer was cancelled, and what it had left was removed.
        case cancelled
    }

    /// The transfer.
    public let id: TransferID
    /// What happened.
    public let kind: Kind
}
