internal import CSQLite
internal import Foundation

/// A value of a column.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
    static func integer(_ value: Bool) -> SQLiteValue { .integer(value ? Int64(1) : 0) }
    static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
    static func optional(_ value: Data?) -> SQLiteValue { value.map { .blob($0) } ?? .null }
}

/// The values of a row, by column. A value of another type reads as empty.
struct SQLiteRow: Sendable {
    private let values: [SQLiteValue]

    /// Copies the current row of a statement.
    init(_ statement: OpaquePointer) {
        values = (0..<sqlite3_column_count(statement)).map { index in
            switch sqlite3_column_type(statement, index) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, index))
            case SQLITE_FLOAT: .real(sqlite3_column_double(statement, index))
            case SQLITE_TEXT: sqlite3_column_text(statement, index).map { .text(String(cString: $0)) } ?? .null
            case SQLITE_BLOB:
                sqlite3_column_blob(statement, index).map {
                    .blob(Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, index))))
                } ?? .blob(Data())
            default: .null
            }
        }
    }

    func integer(_ column: Int) -> Int64 { optionalInteger(column) ?? 0 }
    func text(_ column: Int) -> String { optionalText(column) ?? "" }

    func optionalInteger(_ column: Int) -> Int64? {
        if case .integer(let number) = values[column] { number } else { nil }
    }

    func optionalText(_ column: Int) -> String? {
        if case .text(let text) = values[column] { text } else { nil }
    }

    func real(_ column: Int) -> Double {
        switch values[column] {
        case .real(let number): number
        case .integer(let number): Double(number)
        default: 0
        }
    }

    func blob(_ column: Int) -> Data? {
        if case .blob(let data) = values[column] { data } else { nil }
    }
}
