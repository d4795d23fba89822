internal import CSQLite
internal import Foundation

/// A connection to an SQLite file, and the only caller of the library.
///
/// Not Sendable: ``TransferStore`` guards it with a lock. Statements are prepared once and reused.
final class SQLiteConnection {
    private let handle: OpaquePointer
    private let path: String
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file. A missing file is created, readable by its owner only.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    init(path: String) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let words = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(handle)
            throw TransferError(.store, "the queue \(path) cannot be opened: \(words)")
        }
        self.handle = handle
        self.path = path
        // Another process locks the file for the length of one short transaction.
        sqlite3_busy_timeout(handle, 10_000)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// The row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
    /// The number of rows that the last statement changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// Runs a statement and returns its rows.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    @discardableResult
    func run(_ text: String, _ values: SQLiteValue...) throws -> [SQLiteRow] { try run(text, values) }

    /// Runs a statement with a variable number of values, and returns its rows.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    @discardableResult
    func run(_ text: String, _ values: [SQLiteValue]) throws -> [SQLiteRow] {
        let statement = try prepare(text)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1), of: statement) }
        var rows: [SQLiteRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(SQLiteRow(statement))
            case SQLITE_DONE: return rows
            default: throw failure()
            }
        }
    }

    /// Runs `work` in one transaction, which is committed or rolled back as a whole.
    ///
    /// - Throws: Any error of `work`, or ``TransferError/Kind/store``.
    func transaction<Value>(_ work: () throws -> Value) throws -> Value {
        // IMMEDIATE takes the write lock at the start: a transaction that first reads could otherwise fail when it
        // writes.
        try run("BEGIN IMMEDIATE")
        do {
            let value = try work()
            try run("COMMIT")
            return value
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    private func prepare(_ text: String) throws -> OpaquePointer {
        if let statement = statements[text] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure() }
        statements[text] = statement
        return statement
    }

    private func bind(_ value: SQLiteValue, at index: Int32, of statement: OpaquePointer) throws {
        let code =
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .real(let number): sqlite3_bind_double(statement, index, number)
            case .text(let text): airframe_sqlite_bind_text(statement, index, text, Int32(clamping: text.utf8.count))
            case .blob(let data):
                data.withUnsafeBytes {
                    airframe_sqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
                }
            }
        guard code == SQLITE_OK else { throw failure() }
    }

    private func failure() -> TransferError {
        TransferError(.store, "the queue \(path) cannot be used: \(String(cString: sqlite3_errmsg(handle)))")
    }
}
