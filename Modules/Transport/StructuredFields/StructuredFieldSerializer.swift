internal import FoundationEssentials

// Serializes structured fields (RFC 9651 §4.1).

extension StructuredBareItem {
    /// The item as it is sent; characters that a string cannot hold are left out.
    package var serialized: String {
        switch self {
        case .integer(let value): return "\(value)"
        case .decimal(let thousandths): return Self.decimal(thousandths)
        case .string(let text):
            let escaped = text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.map { scalar in
                scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
            }
            return "\"\(escaped.joined())\""
        case .token(let text): return text
        case .bytes(let data): return ":\(data.base64EncodedString()):"
        case .boolean(let value): return value ? "?1" : "?0"
        case .date(let seconds): return "@\(seconds)"
        }
    }

    private static func decimal(_ thousandths: Int) -> String {
        let magnitude = thousandths.magnitude
        var fraction = String(magnitude % 1000 + 1000).dropFirst()
        while fraction.count > 1, fraction.last == "0" { fraction.removeLast() }
        return "\(thousandths < 0 ? "-" : "")\(magnitude / 1000).\(fraction)"
    }
}

extension StructuredParameters {
    /// The parameters as they are sent, each after a semicolon.
    package var serialized: String {
        pairs.map { key, value in value == .boolean(true) ? ";\(key)" : ";\(key)=\(value.serialized)" }.joined()
    }
}

extension StructuredItem {
    /// The item and its parameters as they are sent.
    package var serialized: String { value.serialized + parameters.serialized }
}

extension StructuredMember {
    /// The member as it is sent.
    package var serialized: String {
        switch self {
        case .item(let item): item.serialized
        case .innerList(let items, let parameters):
            "(\(items.map(\.serialized).joined(separator: " ")))\(parameters.serialized)"
        }
    }
}

extension StructuredDictionary {
    /// The dictionary as it is sent.
    package var serialized: String {
        pairs.map { key, member in
            if case .item(let item) = member, item.value == .boolean(true) { return key + item.parameters.serialized }
            return "\(key)=\(member.serialized)"
        }
        .joined(separator: ", ")
    }
}

extension [StructuredMember] {
    /// The list as it is sent.
    package var serialized: String { map(\.serialized).joined(separator: ", ") }
}
