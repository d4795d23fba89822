/// A selection of transfers to change or to observe.
public enum TransferSelection: Sendable, Hashable {
    /// All transfers.
    case all
    /// The transfers with these numbers.
    case ids([TransferID])
    /// The transfers with a tag.
    case tag(String)

    /// The selection as a condition in SQL, with its values.
    var condition: (text: String, values: [SQLiteValue]) {
        switch self {
        case .all: ("1", [])
        case .ids(let ids):
            // The numbers are integers, so no text from the user becomes part of the statement. One JSON value for all
            // of them avoids SQLite's limit on the number of values.
            ("id IN (SELECT value FROM json_each(?))", [.text("[\(ids.map(\.description).joined(separator: ","))]")])
        case .tag(let tag): ("id IN (SELECT transfer FROM tags WHERE tag = ?)", [.text(tag)])
        }
    }
}
