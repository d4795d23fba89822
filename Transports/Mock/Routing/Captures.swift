/// What the placeholders of a route's path stood for in a request, percent-decoded.
public struct Captures: Sendable, Hashable {
    private var named: [String: String] = [:]
    private var wildcards: [String] = []

    init() {}

    /// What `:name` stood for.
    public subscript(name: String) -> String? { named[name] }

    /// What the `*` or `**` at `index` stood for, counted from the left; `**` may stand for several segments, joined by
    /// slashes, or for none.
    public subscript(index: Int) -> String? { wildcards.indices.contains(index) ? wildcards[index] : nil }

    mutating func add(_ value: String, as name: String) { named[name] = value }
    mutating func add(_ value: String) { wildcards.append(value) }
}
