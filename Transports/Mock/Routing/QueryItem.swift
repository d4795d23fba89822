internal import AirframeTransport

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

extension [QueryItem] {
    /// The items sorted by name and value.
    var inOrder: [QueryItem] { sorted { ($0.name, $0.value) < ($1.name, $1.value) } }

    /// The items for a message, with secret values hidden by ``RedactionPolicy/standard``; `none` if there are none.
    var shown: String {
        guard !isEmpty else { return "none" }
        return map { "\($0.name)=\($0.shownValue)" }.joined(separator: "&")
    }
}

extension QueryItem {
    /// The value for a message. The placeholder replaces what ``RedactionPolicy/url(_:)`` hides in the query.
    fileprivate var shownValue: String {
        let policy = RedactionPolicy.standard
        // The value may be a form or a URL. After a `=` it may also be one that is still percent-encoded. A name may
        // contain other marks than `&` at which a name begins.
        let forms = [value, "=\(value)", "\(name)=\(value)"]
        let isHidden = policy.isSecret(parameter: name) || forms.contains { policy.form($0) != $0 }
        return isHidden ? RedactionPolicy.placeholder : policy.url(value)
    }
}
