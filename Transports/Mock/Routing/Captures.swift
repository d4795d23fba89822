/// The values of a route's placeholders in the path of a request, percent-decoded.
public struct Captures: Sendable, Hashable {
    private var named: [String: String] = [:]
    private var wildcards: [String] = []

    init() {}

    /// Returns the value of `:name`.
    public subscript(name: String) -> String? { named[name] }

    /// Returns the value of the `*` or `**` at `index`, counted from the left. `**` stands for any number of segments,
    /// joined by slashes.
    public subscript(index: Int) -> String? { wildcards.indices.contains(index) ? wildcards[index] : nil }

    mutating func add(_ value: String, as name: String) { named[name] = value }
    mutating func add(_ value: String) { wildcards.append(value) }
}
