import Foundation

/// `name=value` pairs of a header field, where a value may be a quoted string (RFC 9110 §5.6.4, §5.6.6).
struct HeaderParameters {
    private var values: [String: String] = [:]

    init(_ text: some StringProtocol, separator: Character) {
        var rest = Substring(text)
        while !rest.isEmpty {
            rest = rest.drop { $0 == separator || $0.isWhitespace }
            let name = rest.prefix { $0 != "=" && $0 != separator }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            values[name.trimmingCharacters(in: .whitespaces).lowercased()] = Self.takeValue(&rest, separator)
        }
    }

    /// The value by a name in any case.
    subscript(_ name: String) -> String? { values[name.lowercased()] }

    private static func takeValue(_ rest: inout Substring, _ separator: Character) -> String {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != separator }
            rest = rest.dropFirst(value.count)
            return value.trimmingCharacters(in: .whitespaces)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            value.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        return value
    }
}
