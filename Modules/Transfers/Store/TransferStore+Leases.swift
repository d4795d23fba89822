internal import Foundation

/// A transfer whose lease this process holds.
struct ClaimedTransfer: Sendable {
    let id: TransferID
    let description: TransferDescription
    let checkpoint: Data?
    let failures: Int
    let host: String
}

/// The limits that decide which transfers can be claimed.
struct ClaimFilter: Sendable {
    var hasNetwork = true
    var isMetered = false
    /// The hosts at their limit of transfers.
    var busyHosts: [String] = []
    /// The tags at their limit of transfers.
    var busyTags: [String] = []
}

// The process that holds the lease of a transfer runs it. A lease ends with its process, or when it is not renewed in
// time.

extension TransferStore {
    /// Takes the lease of the first transfer that may run.
    func claim(
        _ filter: ClaimFilter,
        for owner: LeaseOwner,
        at now: Date,
        until end: Date
    ) async throws -> ClaimedTransfer? {
        try await change { connection in
            while let row = try Self.next(filter, now, connection) {
                let id = row.integer(0)
                guard let data = row.blob(1),
                    let description = try? JSONDecoder().decode(TransferDescription.self, from: data)
                else {
                    try Self.end(id, .failed, "its description cannot be read", connection)
                    continue
                }
                try connection.run(
                    """
                    UPDATE transfers SET state = 1, owner = ?, lease = ?, attempts = attempts + 1, not_before = 0 \
                    WHERE id = ?
                    """,
                    .text(owner.name), .real(end.timeIntervalSince1970), .integer(id))
                return ClaimedTransfer(
                    id: TransferID(rawValue: id), description: description, checkpoint: row.blob(2),
                    failures: Int(row.integer(3)), host: row.text(4))
            }
            return nil
        }
    }

    private static func next(
        _ filter: ClaimFilter,
        _ now: Date,
        _ connection: SQLiteConnection
    ) throws -> SQLiteRow? {
        var text = """
            SELECT id, description, checkpoint, failures, host FROM transfers \
            WHERE state = 0 AND prerequisites = 0 AND owner IS NULL AND not_before <= ?
            """
        var values: [SQLiteValue] = [.real(now.timeIntervalSince1970)]
        if !filter.hasNetwork { text += " AND needs_network = 0" }
        if filter.isMetered { text += " AND allows_metered = 1" }
        if !filter.busyHosts.isEmpty {
            text += " AND host NOT IN (SELECT value FROM json_each(?))"
            values.append(.text(try json(filter.busyHosts)))
        }
        if !filter.busyTags.isEmpty {
            text += """
                 AND id NOT IN \
                (SELECT transfer FROM tags WHERE tag IN (SELECT value FROM json_each(?)))
                """
            values.append(.text(try json(filter.busyTags)))
        }
        return try connection.run(text + " ORDER BY priority DESC, id LIMIT 1", values).first
    }

    private static func json(_ words: [String]) throws -> String {
        String(decoding: try JSONEncoder().encode(words), as: UTF8.self)
    }

    /// Releases the leases of processes that have ended.
    func freeLeases(except owner: LeaseOwner, at now: Date) async throws {
        try await change { connection in try Self.freeLeases(except: owner, now, connection) }
    }

    /// Renews all leases of an owner, and releases those of processes that have ended.
    ///
    /// - Returns: The owner's transfers that a user has paused, cancelled or changed since.
    func renew(_ owner: LeaseOwner, at now: Date, until end: Date) async throws -> [(id: TransferID, to: TransferState)]
    {
        try await change { connection in
            try connection.run(
                "UPDATE transfers SET lease = ? WHERE owner = ?", .real(end.timeIntervalSince1970), .text(owner.name))
            try Self.freeLeases(except: owner, now, connection)
            return try connection.run(
                "SELECT id, state FROM transfers WHERE owner = ? AND state <> 1", .text(owner.name)
            ).map { (TransferID(rawValue: $0.integer(0)), TransferState(rawValue: Int($0.integer(1))) ?? .cancelled) }
        }
    }

    private static func freeLeases(except owner: LeaseOwner, _ now: Date, _ connection: SQLiteConnection) throws {
        let owners = try connection.run(
            "SELECT owner, MAX(lease) FROM transfers WHERE owner IS NOT NULL AND owner <> ? GROUP BY owner",
            .text(owner.name))
        for row in owners where row.real(1) < now.timeIntervalSince1970 || LeaseOwner.hasEnded(row.text(0)) {
            let cancelled = try connection.run(
                "SELECT id FROM transfers WHERE owner = ? AND state = 5", .text(row.text(0)))
            try connection.run(
                """
                UPDATE transfers SET owner = NULL, state = CASE state WHEN 1 THEN 0 ELSE state END WHERE owner = ?
                """,
                .text(row.text(0)))
            for transfer in cancelled { try end(transfer.integer(0), .cancelled, nil, connection) }
        }
    }

    /// Stores the progress of a transfer.
    ///
    /// - Throws: ``TransferError/Kind/leaseLost`` if another process has the transfer.
    func save(_ progress: TransferCheckpoint, of id: TransferID, for owner: LeaseOwner) async throws {
        try await change { connection in
            try Self.write(progress, of: id, for: owner, connection)
        }
    }

    private static func write(
        _ progress: TransferCheckpoint,
        of id: TransferID,
        for owner: LeaseOwner,
        _ connection: SQLiteConnection
    ) throws {
        try connection.run(
            """
            UPDATE transfers SET checkpoint = ?, completed = ?, total = ?, requests = requests + ?, \
            received = received + ?, sent = sent + ?, seconds = seconds + ?, \
            failures = CASE WHEN ? > completed THEN 0 ELSE failures END WHERE id = ? AND owner = ?
            """,
            .optional(progress.data), .integer(progress.completed), .optional(progress.total),
            .integer(progress.added.requests), .integer(progress.added.receivedBytes),
            .integer(progress.added.sentBytes), .real(progress.added.seconds), .integer(progress.completed),
            .integer(id.rawValue), .text(owner.name))
        guard connection.changedRows == 1 else {
            throw TransferError(.leaseLost, "transfer \(id) was taken over by another process")
        }
    }

    /// Ends an attempt and releases the lease.
    func release(
        _ id: TransferID,
        as outcome: AttemptOutcome,
        _ progress: TransferCheckpoint,
        for owner: LeaseOwner
    ) async throws {
        try await change { connection in
            try Self.write(progress, of: id, for: owner, connection)
            try connection.run("UPDATE transfers SET owner = NULL WHERE id = ?", .integer(id.rawValue))
            switch outcome {
            case .completed: try Self.end(id.rawValue, .completed, nil, connection)
            case .failed(let message): try Self.end(id.rawValue, .failed, message, connection)
            case .cancelled:
                try connection.run("UPDATE transfers SET checkpoint = NULL WHERE id = ?", .integer(id.rawValue))
                try Self.end(id.rawValue, .cancelled, nil, connection)
            case .stopped:
                // A transfer that a user has paused meanwhile stays paused.
                try connection.run("UPDATE transfers SET state = 0 WHERE id = ? AND state = 1", .integer(id.rawValue))
                try Self.keepCancelled(id, connection)
            case .mustWait(let date, let failures, let message):
                try connection.run(
                    """
                    UPDATE transfers SET state = CASE state WHEN 1 THEN 0 ELSE state END, not_before = ?, \
                    failures = ?, error = ? WHERE id = ?
                    """,
                    .real(date.timeIntervalSince1970), .integer(failures), .text(message), .integer(id.rawValue))
                try Self.keepCancelled(id, connection)
            }
        }
    }

    /// Lets a transfer be discarded that was cancelled after its attempt had looked.
    private static func keepCancelled(_ id: TransferID, _ connection: SQLiteConnection) throws {
        try connection.run(
            "UPDATE transfers SET checkpoint = COALESCE(checkpoint, x'') WHERE id = ? AND state = 5",
            .integer(id.rawValue))
    }

    /// Records the end of a transfer, and updates the transfers that depend on it.
    static func end(_ id: Int64, _ state: TransferState, _ error: String?, _ connection: SQLiteConnection) throws {
        try connection.run(
            "UPDATE transfers SET state = ?, error = ?, owner = NULL WHERE id = ?", .integer(state.rawValue),
            .optional(error), .integer(id))
        guard state != .completed else {
            try connection.run(
                """
                UPDATE transfers SET prerequisites = prerequisites - 1 \
                WHERE id IN (SELECT transfer FROM dependencies WHERE prerequisite = ?)
                """,
                .integer(id))
            try connection.run("DELETE FROM dependencies WHERE prerequisite = ?", .integer(id))
            return
        }
        // The dependencies stay: a later attempt of this transfer may complete.
        let dependents = try connection.run(
            """
            SELECT d.transfer FROM dependencies d JOIN transfers t ON t.id = d.transfer \
            WHERE d.prerequisite = ? AND t.state < 3
            """,
            .integer(id))
        for row in dependents {
            try end(row.integer(0), .failed, "transfer \(id), which this one depends on, did not complete", connection)
        }
    }
}

/// The progress of a transfer, with the metrics since the last save.
struct TransferCheckpoint: Sendable {
    var data: Data?
    var completed: Int64 = 0
    var total: Int64?
    var added = TransferMetrics()
}

/// The outcome of an attempt.
enum AttemptOutcome: Sendable {
    case completed
    case failed(String)
    case cancelled
    /// The transfer can continue immediately.
    case stopped
    /// The transfer is retried later.
    case mustWait(until: Date, failures: Int, message: String)
}
