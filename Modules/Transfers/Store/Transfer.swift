internal import AirframeTransport
public import Foundation

/// A snapshot of a transfer in a queue.
public struct Transfer: Sendable, Identifiable {
    /// The number in the queue.
    public let id: TransferID
    /// Whether it is an upload.
    public let isUpload: Bool
    /// The state.
    public let state: TransferState
    /// The priority.
    public let priority: Int
    /// The URL, with its secrets.
    public let url: URL?
    /// The path of the local file.
    public let path: String
    /// The bytes that were transferred and will not be transferred again.
    public let completedBytes: Int64
    /// The number of bytes of the whole; `nil` while it is unknown.
    public let totalBytes: Int64?
    /// The number of attempts so far.
    public let attempts: Int
    /// The failure of the last attempt; `nil` if it did not fail.
    public let error: String?
    /// The date of the next attempt; `nil` if no attempt is scheduled.
    public let nextAttempt: Date?
    /// The cost of the transfer so far.
    public let metrics: TransferMetrics

    static let columns = """
        id, direction, state, priority, url, file, completed, total, attempts, error, not_before, requests, received, \
        sent, seconds
        """

    init(_ row: SQLiteRow) {
        id = TransferID(rawValue: row.integer(0))
        isUpload = row.integer(1) == 1
        state = TransferState(rawValue: Int(row.integer(2))) ?? .failed
        priority = Int(row.integer(3))
        url = URL(string: row.text(4))
        path = row.text(5)
        completedBytes = row.integer(6)
        totalBytes = row.optionalInteger(7)
        attempts = Int(row.integer(8))
        error = row.optionalText(9)
        let due = row.real(10)
        nextAttempt = due > 0 && !state.isFinal ? Date(timeIntervalSince1970: due) : nil
        metrics = TransferMetrics(
            requests: Int(row.integer(11)), receivedBytes: row.integer(12), sentBytes: row.integer(13),
            seconds: row.real(14))
    }
}

extension Transfer: CustomStringConvertible {
    /// The number, state and URL, without the URL's secrets.
    public var description: String {
        "transfer \(id) (\(state)): \(url.map { Redaction.url($0.absoluteString) } ?? path)"
    }
}

/// The cost of a transfer over all attempts and processes.
public struct TransferMetrics: Codable, Sendable, Hashable {
    /// The number of requests.
    public var requests = 0
    /// The bytes of content that were received, including discarded bytes.
    public var receivedBytes: Int64 = 0
    /// The bytes of content that were sent, including repeated bytes.
    public var sentBytes: Int64 = 0
    /// The number of seconds in which the transfer was running.
    public var seconds = 0.0
}
