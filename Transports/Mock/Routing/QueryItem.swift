/// A name and a value of a query, percent-decoded. `name` without `=` has an empty value.
public struct QueryItem: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// `name=value`.
    public var description: String { "\(name)=\(value)" }

    static func parse(_ query: some StringProtocol) -> [QueryItem] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return QueryItem(name: parts[0].percentDecoded, value: parts.count > 1 ? parts[1].percentDecoded : "")
        }
    }
}
