package import AirframeHAR

/// A filter for exchanges: words that must all match, such as `POST api.test 5xx`.
///
/// | word | matches |
/// |---|---|
/// | `4xx`, `404` | a status |
/// | `failed` | no response, or a status of 400 or above |
/// | `GET`, `POST`, … | the method, in capitals |
/// | `>500` | more milliseconds |
/// | anything else | a part of the URL, in any case |
/// | `!word` | what `word` does not match |
package struct ExchangeFilter: Sendable, Hashable {
    private enum Rule: Hashable {
        case status(ClosedRange<Int>)
        case failed
        case method(String)
        case slowerThan(Double)
        case url(String)
    }

    /// The words.
    package let text: String
    private let rules: [(isExcluding: Bool, rule: Rule)]

    package init(_ text: String) {
        self.text = text
        rules = text.split(whereSeparator: \.isWhitespace).map { word in
            let isExcluding = word.hasPrefix("!") && word.count > 1
            return (isExcluding, Self.rule(isExcluding ? word.dropFirst() : word))
        }
    }

    private static func rule(_ word: Substring) -> Rule {
        if word.count == 3, let first = word.first?.wholeNumberValue, (1...5).contains(first) {
            if word.dropFirst() == "xx" { return .status(first * 100...first * 100 + 99) }
            if let status = Int(word) { return .status(status...status) }
        }
        if word == "failed" { return .failed }
        if word.first == ">", let limit = Double(word.dropFirst()) { return .slowerThan(limit) }
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "QUERY"]
        return methods.contains(String(word)) ? .method(String(word)) : .url(word.lowercased())
    }

    /// Whether an exchange is shown. One that is under way has no status and no duration.
    package func matches(_ exchange: InspectedExchange) -> Bool {
        rules.allSatisfy { Self.matches($0.rule, exchange) != $0.isExcluding }
    }

    private static func matches(_ rule: Rule, _ exchange: InspectedExchange) -> Bool {
        switch rule {
        case .status(let range): exchange.entry.map { range.contains($0.response.status) } ?? false
        case .failed: exchange.entry.map { $0.response.status == 0 || $0.response.status >= 400 } ?? false
        case .method(let method): exchange.method == method
        case .slowerThan(let limit): (exchange.entry?.time ?? 0) > limit
        case .url(let part): exchange.url.lowercased().contains(part)
        }
    }

    package static func == (left: ExchangeFilter, right: ExchangeFilter) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// An exchange of the inspected program.
package struct InspectedExchange: Sendable, Hashable {
    /// Its number.
    package let id: UInt64
    /// The method.
    package let method: String
    /// The URL, its secrets hidden.
    package let url: String
    /// The entry; `nil` while the exchange runs.
    package var entry: HAR.Entry?

    package init(id: UInt64, method: String, url: String, entry: HAR.Entry? = nil) {
        self.id = id
        self.method = method
        self.url = url
        self.entry = entry
    }
}
