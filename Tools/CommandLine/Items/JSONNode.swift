/// A JSON value (RFC 8259) that keeps the order of members and the digits of numbers, so that formatting changes
/// neither.
package indirect enum JSONNode: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as it is written.
    case number(String)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONNode])
    /// An object.
    case object([Member])

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        /// The name.
        package var name: String
        /// The value.
        package var value: JSONNode

        package init(_ name: String, _ value: JSONNode) {
            self.name = name
            self.value = value
        }
    }

    /// The kind of the value.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value in one line, without spaces.
    package var compactText: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let digits): digits
        case .string(let text): Self.quoted(text)
        case .array(let elements): "[" + elements.map(\.compactText).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { Self.quoted($0.name) + ":" + $0.value.compactText }.joined(separator: ",") + "}"
        }
    }

    /// A string in quotes. Control characters are escaped, in addition to those that JSON escapes.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.actsOnTerminals:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may interpret the scalar: control characters, and marks of direction.
    package var actsOnTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
