package import HTTPTypes

/// The part of a representation that a response carries (RFC 9110 §14.4): `bytes 5-9/10`.
package struct ContentRange: Sendable, Hashable {
    /// The offset of the first byte.
    package let first: Int64
    /// The offset of the last byte.
    package let last: Int64
    /// The length of the whole representation; `nil` if the server does not know it.
    package let completeLength: Int64?

    /// Creates a range from its parts.
    package init(first: Int64, last: Int64, completeLength: Int64?) {
        self.first = first
        self.last = last
        self.completeLength = completeLength
    }

    /// Reads the field of a response; `nil` if it is missing, repeated or malformed.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .contentRange]
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    /// Parses a field's value; `nil` for another unit, an unsatisfied range (`bytes */10`) and a malformed one, whose
    /// content a recipient must not combine with other parts.
    package init?(_ value: String) {
        let words = value.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        // Without the largest number, the offset after the last byte is a number as well.
        guard bounds.count == 2, let first = Self.number(bounds[0]), let last = Self.number(bounds[1]), first <= last,
            last < .max
        else { return nil }
        self.first = first
        self.last = last
        if halves[1] == "*" {
            completeLength = nil
        } else {
            guard let length = Self.number(halves[1]), last < length else { return nil }
            completeLength = length
        }
    }

    /// The field's value.
    package var text: String { "bytes \(first)-\(last)/\(completeLength.map(String.init) ?? "*")" }

    /// Returns the number that `text` consists of; `nil` for anything but ASCII digits, and beyond 64 bits.
    package static func number(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}
