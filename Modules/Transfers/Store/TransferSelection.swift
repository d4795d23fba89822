/// Transfers to act on, or to observe.
public enum TransferSelection: Sendable, Hashable {
    /// All.
    case all
    /// Those with these numbers.
    case ids([TransferID])
    /// Those with a tag.
    case tag(String)

    /// The condition in SQL, and its values.
    var condition: (text: String, values: [SQLiteValue]) {
        switch self {
        case .all: ("1", [])
        case .ids(let ids):
            // The numbers are integers: no text of a user's gets into the statement. One value for all, so that their
            // number is not limited.
            ("id IN (SELECT value FROM json_each(?))", [.text("[\(ids.map(\.description).joined(separator: ","))]")])
        case .tag(let tag): ("id IN (SELECT transfer FROM tags WHERE tag = ?)", [.text(tag)])
        }
    }
}
