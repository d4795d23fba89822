internal import AirframeTransport

/// A pattern for the hosts of an evaluator or an identity.
///
/// | pattern | hosts |
/// |---|---|
/// | `api.test` | that one |
/// | `*.api.test` | one label before it: `a.api.test`, not `api.test` or `a.b.api.test` |
/// | `**.api.test` | `api.test` and all beneath it |
/// | `*` | all |
///
/// Letter case, a trailing dot and brackets around an IPv6 address are ignored. A name outside ASCII is compared in its
/// ASCII form (RFC 5891 §4.4).
public struct HostPattern: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    private enum Shape: Sendable, Hashable {
        case exactly
        case oneLabelBefore
        case within
        case any
    }

    /// The pattern as written.
    public let description: String
    private let shape: Shape
    private let name: String

    /// Parses a pattern.
    public init(_ pattern: String) {
        description = pattern
        if pattern == "*" || pattern == "**" {
            shape = .any
            name = ""
        } else if pattern.hasPrefix("**.") {
            shape = .within
            name = HostName.normalized(pattern.dropFirst(3))
        } else if pattern.hasPrefix("*.") {
            shape = .oneLabelBefore
            name = HostName.normalized(pattern.dropFirst(2))
        } else {
            shape = .exactly
            name = HostName.normalized(pattern)
        }
    }

    /// Parses a pattern.
    public init(stringLiteral pattern: String) { self.init(pattern) }

    /// Whether the pattern matches `host`.
    public func matches(_ host: String) -> Bool {
        let host = HostName.normalized(host)
        switch shape {
        case .exactly: return host == name
        case .any: return true
        case .within where host == name: return true
        case .oneLabelBefore, .within:
            // An address has no labels.
            guard host.hasSuffix("." + name), !HostName.isAddress(host) else { return false }
            let before = host.dropLast(name.count + 1)
            return !before.isEmpty && (shape == .within || !before.contains("."))
        }
    }

    /// The rank of the pattern: of two patterns that match a host, the higher one applies.
    var precedence: (Int, Int) {
        switch shape {
        case .exactly: (3, name.utf8.count)
        case .oneLabelBefore: (2, name.utf8.count)
        case .within: (1, name.utf8.count)
        case .any: (0, 0)
        }
    }
}

/// A table of host patterns. Of the patterns that match a host, the most specific one applies.
struct HostTable<Value: Sendable>: Sendable {
    private let exact: [String: Value]
    private let patterns: [(pattern: HostPattern, value: Value)]

    init(_ values: [String: Value]) {
        var exact: [String: Value] = [:]
        var patterns: [(pattern: HostPattern, value: Value)] = []
        // Sorted, so that of two spellings of a name the same one applies in every run.
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            if key.hasPrefix("*") {
                patterns.append((HostPattern(key), value))
            } else {
                exact[HostName.normalized(key)] = value
            }
        }
        self.exact = exact
        self.patterns = patterns.sorted { $0.pattern.precedence > $1.pattern.precedence }
    }

    subscript(host: String) -> Value? {
        exact[HostName.normalized(host)] ?? patterns.first { $0.pattern.matches(host) }?.value
    }
}
