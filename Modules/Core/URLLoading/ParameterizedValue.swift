/// A field value with parameters: `text/html; charset="utf-8"` (RFC 9110 §5.6.6).
struct ParameterizedValue: Equatable {
    /// What stands before the parameters.
    let value: String
    /// The parameters in order, their names in lower case.
    private(set) var parameters: [(name: String, value: String)] = []

    /// Reads a field value; `nil` for an empty one. Parameters that break the rules are passed over.
    init?(_ text: String) {
        var rest = Substring(text)
        value = rest.take { $0 != ";" && $0 != "," }.trimmingBlanks()
        guard !value.isEmpty else { return nil }
        while rest.first == ";" {
            rest.removeFirst()
            let name = rest.take { !"=;".contains($0) }.trimmingBlanks().lowercased()
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            rest = rest.drop { $0 == " " || $0 == "\t" }
            let value = rest.first == "\"" ? rest.takeQuoted() : rest.take { $0 != ";" }.trimmingBlanks()
            if !name.isEmpty { parameters.append((name, value)) }
            // After a quoted value, whatever stands before the next parameter belongs to none.
            rest = rest.drop { $0 != ";" }
        }
    }

    /// The value of the first parameter with this name, which is in lower case.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    static func == (left: Self, right: Self) -> Bool {
        left.value == right.value && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }
}

extension Substring {
    /// Removes and returns the characters at the start that match.
    fileprivate mutating func take(while matches: (Character) -> Bool) -> Substring {
        let end = firstIndex { !matches($0) } ?? endIndex
        defer { self = self[end...] }
        return self[..<end]
    }

    /// Removes a quoted string and returns what it quotes (RFC 9110 §5.6.4). Without a closing quote all is taken.
    fileprivate mutating func takeQuoted() -> String {
        removeFirst()
        var result = ""
        while let character = popFirst(), character != "\"" {
            guard character == "\\" else {
                result.append(character)
                continue
            }
            if let escaped = popFirst() { result.append(escaped) }
        }
        return result
    }
}
