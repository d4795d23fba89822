/// A field value with parameters: `text/html; charset="utf-8"` (RFC 9110 §5.6.6).
package struct ParameterizedValue: Equatable {
    /// A parameter, its name in lower case.
    package struct Parameter: Equatable {
        let name: String
        let value: String
    }

    /// The text before the parameters.
    package let value: String
    /// The parameters in order.
    package let parameters: [Parameter]

    /// Parses a field value. Returns `nil` for an empty one. Invalid parameters are skipped.
    package init?(_ text: String) {
        guard let value = Self.value(of: text) else { return nil }
        self.value = value
        var rest = text.utf8[...]
        _ = rest.take(upTo: UInt8(ascii: ";"))
        var parameters: [Parameter] = []
        while rest.popFirst() != nil {
            var name = rest
            name.endAt(UInt8(ascii: "="), UInt8(ascii: ";"))
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest.removeFirst()
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let value =
                if rest.first == UInt8(ascii: "\"") {
                    rest.takeQuoted()
                } else {
                    Substring(rest.take(upTo: UInt8(ascii: ";"))).trimmingBlanks()
                }
            let trimmedName = Substring(name).trimmingBlanks().lowercased()
            if !trimmedName.isEmpty { parameters.append(Parameter(name: trimmedName, value: value)) }
            // Text between a quoted value and the next parameter is skipped.
            _ = rest.take(upTo: UInt8(ascii: ";"))
        }
        self.parameters = parameters
    }

    /// Returns the text before the parameters of a field value, or `nil` if it is empty.
    static func value(of text: String) -> String? {
        var value = text.utf8[...]
        // A comma can only result from a repeated field, of which the first applies.
        value.endAt(UInt8(ascii: ";"), UInt8(ascii: ","))
        let trimmed = Substring(value).trimmingBlanks()
        return trimmed.isEmpty ? nil : trimmed
    }

    /// Returns the value of the first parameter with a name, which is in lower case.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}

extension Substring.UTF8View {
    /// Removes everything from the first of two bytes on.
    fileprivate mutating func endAt(_ first: UInt8, _ second: UInt8) {
        self = self[..<(firstIndex { $0 == first || $0 == second } ?? endIndex)]
    }

    /// Removes and returns the text before `end`.
    fileprivate mutating func take(upTo end: UInt8) -> Substring.UTF8View {
        let index = firstIndex(of: end) ?? endIndex
        defer { self = self[index...] }
        return self[..<index]
    }

    /// Removes a quoted string and returns its content (RFC 9110 §5.6.4). Without a closing quote, takes everything.
    fileprivate mutating func takeQuoted() -> String {
        removeFirst()
        var bytes: [UInt8] = []
        while let byte = popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            if let escaped = popFirst() { bytes.append(escaped) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
