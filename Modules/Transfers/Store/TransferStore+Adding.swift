internal import Foundation

extension TransferStore {
    /// Stores all transfers or none. They are on the disk when this function returns.
    ///
    /// - Throws: ``TransferError/Kind/invalidDescription``, ``TransferError/Kind/store``.
    func add(_ descriptions: [TransferDescription]) async throws -> [TransferID] {
        for description in descriptions { try description.validate() }
        return try await change { connection in
            let encoder = JSONEncoder()
            return try descriptions.map { description in
                try Self.insert(description, try encoder.encode(description), connection)
            }
        }
    }

    private static func insert(
        _ description: TransferDescription,
        _ encoded: Data,
        _ connection: SQLiteConnection
    ) throws -> TransferID {
        var isUpload = false
        if case .upload = description.work { isUpload = true }
        try connection.run(
            """
            INSERT INTO transfers (direction, priority, url, host, file, needs_network, allows_metered, description) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(isUpload), .integer(description.priority), .text(description.url.absoluteString),
            .text(description.url.hostAndPort), .text(description.file.path),
            .integer(description.conditions.requiresConnectivity), .integer(description.conditions.allowsMetered),
            .blob(encoded))
        let id = connection.lastRow
        for tag in description.tags {
            try connection.run("INSERT INTO tags (transfer, tag) VALUES (?, ?)", .integer(id), .text(tag))
        }
        try depend(id, on: Set(description.dependencies), connection)
        return TransferID(rawValue: id)
    }

    private static func depend(
        _ id: Int64,
        on prerequisites: Set<TransferID>,
        _ connection: SQLiteConnection
    ) throws {
        var open = 0
        for prerequisite in prerequisites.sorted() {
            let rows = try connection.run("SELECT state FROM transfers WHERE id = ?", .integer(prerequisite.rawValue))
            // Only existing transfers can be dependencies, so dependencies never form a cycle.
            guard let row = rows.first, prerequisite.rawValue < id else {
                throw TransferDescription.invalid("a dependency on transfer \(prerequisite), which does not exist")
            }
            switch TransferState(rawValue: Int(row.integer(0))) ?? .failed {
            case .completed: continue
            case .failed, .cancelled:
                throw TransferDescription.invalid("a dependency on transfer \(prerequisite), which did not complete")
            case .waiting, .running, .paused: open += 1
            }
            try connection.run(
                "INSERT INTO dependencies (transfer, prerequisite) VALUES (?, ?)", .integer(id),
                .integer(prerequisite.rawValue))
        }
        guard open > 0 else { return }
        try connection.run("UPDATE transfers SET prerequisites = ? WHERE id = ?", .integer(open), .integer(id))
    }
}

extension URL {
    /// Returns host and port, the key of the limits per host.
    var hostAndPort: String {
        let port = port ?? (scheme?.lowercased() == "https" ? 443 : 80)
        return "\((host ?? "").lowercased()):\(port)"
    }
}
