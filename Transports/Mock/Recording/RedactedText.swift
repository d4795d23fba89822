internal import AirframeTransport

/// A recorded text in which the placeholder of redacted secrets matches anything.
struct RedactedText {
    let text: String

    func matches(_ actual: String) -> Bool {
        guard text.contains(RedactionPolicy.placeholder) else { return text == actual }
        let parts = text.split(separator: RedactionPolicy.placeholder, omittingEmptySubsequences: false)
        guard let first = parts.first, let last = parts.last, actual.hasPrefix(first) else { return false }
        var rest = actual.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}

extension JSONValue {
    /// Returns whether `actual` is this value. The placeholder of redacted secrets matches any value.
    func matchesRedacted(_ actual: JSONValue) -> Bool {
        switch (self, actual) {
        case (.string(RedactionPolicy.placeholder), _): return true
        case (.string(let recorded), .string(let text)): return RedactedText(text: recorded).matches(text)
        case (.array(let recorded), .array(let elements)):
            return recorded.count == elements.count && zip(recorded, elements).allSatisfy { $0.matchesRedacted($1) }
        case (.object(let recorded), .object(let members)):
            return recorded.count == members.count
                && recorded.allSatisfy { name, value in members[name].map(value.matchesRedacted) ?? false }
        default: return self == actual
        }
    }
}
