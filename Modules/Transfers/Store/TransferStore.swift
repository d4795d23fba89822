internal import AirframeTransport
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The queue's file: descriptions, states, checkpoints and leases of all transfers, in one SQLite database.
///
/// Every change is one transaction that is on the disk when the function returns. A process may therefore be killed at
/// any moment, and several processes may use one file.
final class TransferStore: Sendable {
    private static let version = 1

    let path: String
    /// Distinguishes the temporary files of this queue from those of other queues.
    let identifier: String
    // Guards the connection, which serves one caller at a time.
    private let connection: Mutex<SQLiteConnection>

    /// Opens a queue, and creates its file if there is none.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    init(path: String) throws {
        self.path = path
        // Descriptions may name private places, so only their owner may read the file and its companions.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw TransferError(
                .store, "the queue \(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        let connection = try SQLiteConnection(path: path)
        try connection.run("PRAGMA journal_mode = WAL")
        // With FULL a commit is on the disk when it returns (https://sqlite.org/wal.html).
        try connection.run("PRAGMA synchronous = FULL")
        try connection.run("PRAGMA foreign_keys = ON")
        identifier = try connection.transaction { try Self.prepare(connection, path) }
        self.connection = Mutex(connection)
    }

    /// Uses the database on the calling thread, which blocks on the disk.
    func use<Value: Sendable>(_ work: (SQLiteConnection) throws -> Value) throws -> Value {
        try connection.withLock { try work($0) }
    }

    /// Uses the database in one transaction, on a thread that may block on the disk.
    func change<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await WorkerThreads.files.result { [self] in
            try use { connection in try connection.transaction { try work(connection) } }
        }
    }

    /// Reads the database on a thread that may block on the disk.
    func read<Value: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> Value) async throws -> Value {
        try await WorkerThreads.files.result { [self] in try use(work) }
    }

    /// Creates the tables of a new file, and rejects files of later versions.
    private static func prepare(_ connection: SQLiteConnection, _ path: String) throws -> String {
        let found = try connection.run("PRAGMA user_version").first?.integer(0) ?? 0
        guard found <= version else {
            throw TransferError(
                .store, "the queue \(path) has format \(found); this version of the program reads up to \(version)")
        }
        if found == 0 {
            guard try connection.run("SELECT 1 FROM sqlite_schema LIMIT 1").isEmpty else {
                throw TransferError(.store, "\(path) is an SQLite file, and no queue")
            }
            for statement in schema { try connection.run(statement) }
            try connection.run("INSERT INTO queue (identifier) VALUES (?)", .text(UUID().uuidString.lowercased()))
            try connection.run("PRAGMA user_version = \(version)")
        }
        return try connection.run("SELECT identifier FROM queue").first?.text(0) ?? ""
    }

    private static let schema = [
        "CREATE TABLE queue (identifier TEXT NOT NULL)",
        """
        CREATE TABLE transfers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            direction INTEGER NOT NULL, state INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL,
            url TEXT NOT NULL, host TEXT NOT NULL, file TEXT NOT NULL,
            needs_network INTEGER NOT NULL, allows_metered INTEGER NOT NULL,
            description BLOB NOT NULL, checkpoint BLOB,
            completed INTEGER NOT NULL DEFAULT 0, total INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
            not_before REAL NOT NULL DEFAULT 0, error TEXT,
            prerequisites INTEGER NOT NULL DEFAULT 0,
            requests INTEGER NOT NULL DEFAULT 0, received INTEGER NOT NULL DEFAULT 0,
            sent INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
            owner TEXT, lease REAL NOT NULL DEFAULT 0)
        """,
        "CREATE INDEX ready ON transfers (state, prerequisites, priority DESC, id)",
        "CREATE INDEX owned ON transfers (owner) WHERE owner IS NOT NULL",
        """
        CREATE TABLE tags (
            transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE, tag TEXT NOT NULL,
            PRIMARY KEY (tag, transfer)) WITHOUT ROWID
        """,
        "CREATE INDEX tagged ON tags (transfer)",
        """
        CREATE TABLE dependencies (
            transfer INTEGER NOT NULL REFERENCES transfers (id) ON DELETE CASCADE, prerequisite INTEGER NOT NULL,
            PRIMARY KEY (prerequisite, transfer)) WITHOUT ROWID
        """,
        "CREATE INDEX dependent ON dependencies (transfer)",
    ]
}
