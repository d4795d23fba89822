public import Foundation

/// An event of a transfer that this process runs.
public struct TransferEvent: Sendable {
    /// The kinds of events. More may be added: switch with a `default`.
    public enum Kind: Sendable {
        /// The transfer was added.
        case added
        /// An attempt began with this number of bytes already transferred.
        case started(completedBytes: Int64)
        /// An attempt ended before the transfer did: the transfer was paused, its conditions ended, or the queue
        /// stopped.
        case stopped
        /// An attempt failed. The next one is due at the date.
        case retrying(TransferError, at: Date)
        /// The transfer completed.
        case completed(TransferMetrics)
        /// The transfer failed and is not retried.
        case failed(TransferError)
        /// The transfer was cancelled. Its temporary file and its unfinished upload on the server were removed.
        case cancelled
    }

    /// The transfer.
    public let id: TransferID
    /// The event.
    public let kind: Kind
}
