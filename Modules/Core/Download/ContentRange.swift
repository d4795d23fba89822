package import HTTPTypes

/// The range of a representation that a response contains (RFC 9110 §14.4): `bytes 5-9/10`.
package struct ContentRange: Equatable, Sendable {
    /// The offset of the first byte.
    package let first: Int64
    /// The offset of the last byte.
    package let last: Int64
    /// The length of the representation; `nil` if the server does not know it.
    package let total: Int64?

    /// Parses the field of a response. Returns `nil` if it is missing, repeated or invalid.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .contentRange]
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    /// Parses a value. Returns `nil` if it is invalid or has no range (`bytes */10`).
    package init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].equalsIgnoringASCIICase("bytes") else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last
        else { return nil }
        self.first = first
        self.last = last
        if parts[1] == "*" {
            total = nil
        } else {
            guard let total = Self.number(parts[1]), total > last else { return nil }
            self.total = total
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
