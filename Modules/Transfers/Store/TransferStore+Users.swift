internal import Foundation

// Operations of users on transfers of any process.

extension TransferStore {
    /// Returns the transfers of a selection, in order.
    func list(
        _ selection: TransferSelection,
        _ states: Set<TransferState>?,
        after: TransferID?,
        limit: Int
    ) async throws -> [Transfer] {
        var (condition, values) = selection.condition
        if let states {
            condition += " AND state IN (\(states.map { "\($0.rawValue)" }.sorted().joined(separator: ",")))"
        }
        values += [.integer(after?.rawValue ?? 0), .integer(limit)]
        return try await read { [condition, values] connection in
            let text = "SELECT \(Transfer.columns) FROM transfers WHERE \(condition) AND id > ? ORDER BY id LIMIT ?"
            return try connection.run(text, values).map(Transfer.init)
        }
    }

    /// Returns the description of a transfer; `nil` if there is no such transfer.
    func description(of id: TransferID) async throws -> TransferDescription? {
        try await read { connection in
            let rows = try connection.run("SELECT description FROM transfers WHERE id = ?", .integer(id.rawValue))
            return try rows.first?.blob(0).map { try JSONDecoder().decode(TransferDescription.self, from: $0) }
        }
    }

    /// Returns the totals of a selection.
    func sum(_ selection: TransferSelection) async throws -> TransferSum {
        let (condition, values) = selection.condition
        return try await read { connection in
            let rows = try connection.run(
                """
                SELECT state, COUNT(*), SUM(completed), SUM(total), COUNT(total) FROM transfers \
                WHERE \(condition) GROUP BY state
                """, values)
            var sum = TransferSum()
            for row in rows {
                guard let state = TransferState(rawValue: Int(row.integer(0))) else { continue }
                sum.counts[state] = Int(row.integer(1))
                sum.completed += row.integer(2)
                sum.total += row.integer(3)
                sum.isTotalKnown = sum.isTotalKnown && row.integer(1) == row.integer(4)
            }
            return sum
        }
    }

    /// Changes the state of the transfers of a selection that are in one of `states`. A transfer that depends on one
    /// that has failed, was cancelled or was removed cannot run, so it keeps its state.
    ///
    /// - Returns: The transfers that changed.
    func change(
        _ selection: TransferSelection,
        from states: [TransferState],
        to state: TransferState
    ) async throws -> [TransferID] {
        let (condition, values) = selection.condition
        return try await change { connection in
            let from = states.map { "\($0.rawValue)" }.joined(separator: ",")
            // In order, so that the transfers that others depend on change first.
            let ids = try connection.run(
                "SELECT id FROM transfers WHERE \(condition) AND state IN (\(from)) ORDER BY id", values
            ).map { $0.integer(0) }
            let changed = try ids.filter { id in
                if state == .cancelled {
                    try Self.cancel(id, connection)
                    return true
                }
                return try Self.set(id, to: state, connection)
            }
            return changed.map(TransferID.init(rawValue:))
        }
    }

    private static func cancel(_ id: Int64, _ connection: SQLiteConnection) throws {
        // The process that runs the transfer ends it at its next check. An attempt may have left a file before its
        // first checkpoint: an empty checkpoint lets that file be discarded.
        try connection.run(
            """
            UPDATE transfers SET state = 5, \
            checkpoint = CASE WHEN attempts > 0 THEN COALESCE(checkpoint, x'') ELSE checkpoint END WHERE id = ?
            """,
            .integer(id))
        let owned = try connection.run("SELECT 1 FROM transfers WHERE id = ? AND owner IS NOT NULL", .integer(id))
        if owned.isEmpty { try end(id, .cancelled, nil, connection) }
    }

    /// Returns whether the state was changed.
    private static func set(_ id: Int64, to state: TransferState, _ connection: SQLiteConnection) throws -> Bool {
        try connection.run(
            """
            UPDATE transfers SET state = ?, not_before = 0, failures = CASE ? WHEN 0 THEN 0 ELSE failures END, \
            error = CASE ? WHEN 0 THEN NULL ELSE error END WHERE id = ? AND NOT EXISTS \
            (SELECT 1 FROM dependencies d LEFT JOIN transfers p ON p.id = d.prerequisite \
            WHERE d.transfer = transfers.id AND (p.id IS NULL OR p.state IN (4, 5)))
            """,
            .integer(state.rawValue), .integer(state.rawValue), .integer(state.rawValue), .integer(id))
        return connection.changedRows > 0
    }

    /// Takes the lease of a transfer that was cancelled while no process ran it, so that its remains can be removed.
    func claimCancelled(for owner: LeaseOwner, until end: Date) async throws -> ClaimedTransfer? {
        try await change { connection in
            while let row = try Self.nextCancelled(connection) {
                let id = row.integer(0)
                guard let data = row.blob(1),
                    let description = try? JSONDecoder().decode(TransferDescription.self, from: data)
                else {
                    // Only the description says where the remains are.
                    try connection.run("UPDATE transfers SET checkpoint = NULL WHERE id = ?", .integer(id))
                    continue
                }
                try connection.run(
                    "UPDATE transfers SET owner = ?, lease = ? WHERE id = ?", .text(owner.name),
                    .real(end.timeIntervalSince1970), .integer(id))
                return ClaimedTransfer(
                    id: TransferID(rawValue: id), description: description, checkpoint: row.blob(2), failures: 0,
                    host: row.text(4))
            }
            return nil
        }
    }

    private static func nextCancelled(_ connection: SQLiteConnection) throws -> SQLiteRow? {
        try connection.run(
            """
            SELECT id, description, checkpoint, failures, host FROM transfers \
            WHERE state = 5 AND owner IS NULL AND checkpoint IS NOT NULL LIMIT 1
            """
        ).first
    }

    /// Sets the priority of the transfers of a selection that have not ended.
    func setPriority(_ priority: Int, of selection: TransferSelection) async throws {
        let (condition, values) = selection.condition
        _ = try await change { connection in
            try connection.run(
                "UPDATE transfers SET priority = ? WHERE state < 3 AND \(condition)", [.integer(priority)] + values)
        }
    }

    /// Removes the transfers of a selection that have ended and left nothing behind.
    ///
    /// - Returns: The number of removed transfers.
    func removeEnded(_ selection: TransferSelection) async throws -> Int {
        let (condition, values) = selection.condition
        return try await change { connection in
            try connection.run(
                """
                DELETE FROM transfers WHERE state >= 3 AND owner IS NULL \
                AND (state = 3 OR checkpoint IS NULL) AND \(condition)
                """, values)
            return connection.changedRows
        }
    }

    /// Returns a number that changes when another process changes the file.
    func changeCount() async throws -> Int64 {
        try await read { try $0.run("PRAGMA data_version").first?.integer(0) ?? 0 }
    }

    /// Returns the date of the next attempt after `now` and the number of transfers that have not ended and are not
    /// paused. An idle runner waits for these.
    ///
    /// A transfer whose date has passed waits for something else: a place, a network, the end of the quiet hours.
    func outlook(after now: Date) async throws -> (nextAttempt: Date?, openCount: Int) {
        try await read { connection in
            let due = try connection.run(
                "SELECT MIN(not_before) FROM transfers WHERE state = 0 AND prerequisites = 0 AND not_before > ?",
                .real(now.timeIntervalSince1970))
            let open = try connection.run("SELECT COUNT(*) FROM transfers WHERE state < 2")
            let seconds = due.first?.real(0) ?? 0
            return (seconds > 0 ? Date(timeIntervalSince1970: seconds) : nil, Int(open.first?.integer(0) ?? 0))
        }
    }
}

/// The totals of a selection of transfers.
struct TransferSum: Sendable {
    var counts: [TransferState: Int] = [:]
    var completed: Int64 = 0
    var total: Int64 = 0
    var isTotalKnown = true
}
