/// JSON with the members of every object in the order of their keys' text. Everything else stays as it is written.
///
/// Without `sortedKeys`, `JSONEncoder` writes members in the order of a dictionary, which differs from one dictionary
/// to the next.
struct CanonicalJSON {
    private var rest: Substring.UTF8View

    /// Returns `text`, which has to be valid JSON without whitespace, in canonical order.
    static func text(_ text: String) -> String {
        var reader = CanonicalJSON(rest: text[...].utf8)
        return reader.value()
    }

    private mutating func value() -> String {
        switch rest.first {
        case UInt8(ascii: "{"):
            return
                "{\(list(end: UInt8(ascii: "}")) { "\($0.string()):\($0.afterColon())" }.sorted().joined(separator: ","))}"
        case UInt8(ascii: "["): return "[\(list(end: UInt8(ascii: "]")) { $0.value() }.joined(separator: ","))]"
        case UInt8(ascii: "\""): return string()
        default: return token { !",]}".utf8.contains($0) }
        }
    }

    private mutating func afterColon() -> String {
        rest.removeFirst()
        return value()
    }

    private mutating func list(end: UInt8, _ element: (inout CanonicalJSON) -> String) -> [String] {
        var elements: [String] = []
        rest.removeFirst()
        while rest.first != end {
            if !elements.isEmpty { rest.removeFirst() }
            elements.append(element(&self))
        }
        rest.removeFirst()
        return elements
    }

    private mutating func string() -> String {
        var isEscaped = false
        var quotes = 0
        return token { byte in
            guard quotes < 2 else { return false }
            if byte == UInt8(ascii: "\""), !isEscaped { quotes += 1 }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return true
        }
    }

    private mutating func token(while holds: (UInt8) -> Bool) -> String {
        let end = rest.firstIndex { !holds($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return String(Substring(rest[..<end]))
    }
}
