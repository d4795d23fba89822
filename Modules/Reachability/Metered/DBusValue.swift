/// A value of a D-Bus message. Types that differ only in width are one case: no caller depends on the width.
package indirect enum DBusValue: Sendable, Hashable {
    case byte(UInt8)
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(UInt64)
    /// A string, the path of an object, or a signature.
    case text(String)
    case array([DBusValue])
    /// A structure, or an entry of a dictionary.
    case structure([DBusValue])
    case variant(DBusValue)

    /// The string, if the value is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The number, if the value is an unsigned one, also in a variant.
    var unsigned: UInt64? {
        switch self {
        case .unsigned(let value): value
        case .variant(let value): value.unsigned
        default: nil
        }
    }

    /// The elements, if the value is an array.
    var elements: [DBusValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// An array of entries as a dictionary of the variants' values.
    var properties: [String: DBusValue] {
        let entries = (elements ?? []).compactMap { entry -> (String, DBusValue)? in
            guard case .structure(let pair) = entry, pair.count == 2, let key = pair[0].text,
                case .variant(let value) = pair[1]
            else { return nil }
            return (key, value)
        }
        return Dictionary(entries) { $1 }
    }
}

/// An error: bytes that are not a D-Bus message, or one larger than any of NetworkManager's.
package struct MalformedDBus: Error, Hashable, CustomStringConvertible {
    let what: String
    let offset: Int

    package var description: String { "malformed D-Bus message: \(what) at byte \(offset)" }
}
