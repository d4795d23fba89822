/// Text of an XML document: the references to characters in it (XML 1.0 §4.1, §4.6).
enum XMLText {
    /// The maximum length of a reference's name.
    private static let longestName = 16

    /// Returns `text` with its references to characters resolved. Other references stay.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "&"), let (scalar, after) = reference(at: rest) {
                result += String(Character(scalar)).utf8
                rest = after
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the character that a reference stands for, and the text behind it.
    private static func reference(at text: Substring.UTF8View) -> (Unicode.Scalar, Substring.UTF8View)? {
        let name = text.prefix(longestName).prefix { $0 != UInt8(ascii: ";") }
        let after = text[name.endIndex...]
        guard after.first == UInt8(ascii: ";"), let scalar = scalar(named: String(Substring(name))) else { return nil }
        return (scalar, after.dropFirst())
    }

    /// Returns `text` with references for the characters that markup consists of.
    static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result += "&amp;".utf8
            case UInt8(ascii: "<"): result += "&lt;".utf8
            case UInt8(ascii: ">"): result += "&gt;".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let code = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap { Unicode.Scalar($0) }
    }
}
