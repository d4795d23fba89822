/// Lists in field values: members are separated by commas, except for commas within quoted strings (RFC 9110 §5.6.1).
enum FieldList {
    /// The non-empty members of a list, without the whitespace around them.
    static func members(of value: String) -> [Substring] {
        var members: [Substring] = []
        var (start, isQuoted, isEscaped) = (value.startIndex, false, false)
        for index in value.utf8.indices {
            switch value.utf8[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                append(value[start..<index], to: &members)
                start = value.utf8.index(after: index)
            default: break
            }
        }
        append(value[start...], to: &members)
        return members
    }

    /// A directive's name in lower case, and its argument without quotes.
    static func directive(_ member: Substring) -> (name: String, argument: String?) {
        guard let equals = member.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (member.lowercased(), nil) }
        let argument = member[member.utf8.index(after: equals)...]
        return (member[..<equals].lowercased(), unquoted(argument))
    }

    /// The content of a quoted string, or the text itself if it is not quoted.
    static func unquoted(_ text: Substring) -> String {
        let bytes = text.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return String(text)
        }
        var (content, isEscaped) = ([UInt8](), false)
        for byte in bytes.dropFirst().dropLast() {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                content.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: content, as: UTF8.self)
    }

    /// Text without the spaces and tabs around it.
    static func trimmed(_ text: Substring) -> Substring {
        let bytes = text.utf8
        let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !blank($0) }), let last = bytes.lastIndex(where: { !blank($0) })
        else { return text[text.endIndex...] }
        return text[first...last]
    }

    private static func append(_ text: Substring, to members: inout [Substring]) {
        let member = trimmed(text)
        if !member.isEmpty { members.append(member) }
    }
}

/// Numbers of seconds in field values (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// The largest number; larger ones are replaced by it.
    static let limit = 1 << 31

    /// Parses digits, with any number of leading zeros. A sign or a fraction is invalid.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty else { return nil }
        var number = 0
        for byte in text.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = min(number * 10 + Int(byte - UInt8(ascii: "0")), limit)
        }
        return number
    }
}
