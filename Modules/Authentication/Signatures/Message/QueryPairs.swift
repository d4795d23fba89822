internal import AirframeTransport

/// The parameters of a query as forms encode them (`application/x-www-form-urlencoded`).

enum QueryPairs {
    /// Names and values, decoded and encoded again: percent-encoded, with upper-case digits (RFC 9421 §2.2.8).
    static func pairs(of query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (encodeAgain(parts[0]), parts.count > 1 ? encodeAgain(parts[1]) : "")
        }
    }

    /// Percent-encodes all but letters, digits and `*-._` (the percent-encode set of forms, WHATWG URL §1.3).
    static func encode(_ text: String) -> String { PercentEncoding.form.encode(text) }

    private static func encodeAgain(_ text: Substring) -> String {
        PercentEncoding.form.encode(bytes: PercentEncoding.decode(text, replacesPluses: true))
    }
}
