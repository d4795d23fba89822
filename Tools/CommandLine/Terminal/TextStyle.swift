/// The style of text on a terminal: with or without colours, in Unicode or ASCII.
package struct TextStyle: Sendable, Hashable {
    /// Whether there are colours (the escape sequences of ECMA-48).
    package var usesColours: Bool
    /// Whether bars are drawn with characters beyond ASCII.
    package var usesUnicode: Bool

    package init(usesColours: Bool, usesUnicode: Bool) {
        self.usesColours = usesColours
        self.usesUnicode = usesUnicode
    }

    /// Neither colours nor anything beyond ASCII.
    package static let plain = TextStyle(usesColours: false, usesUnicode: false)

    /// The role of a piece of text.
    package enum Role: String, Sendable {
        case dim = "2"
        case bold = "1"
        case reverse = "7"
        case failure = "31"
        case string = "32"
        case warning = "33"
        case name = "34"
        case literal = "35"
        case number = "36"
    }

    /// `text` in the colour of its role, where there are colours.
    package func paint(_ text: String, _ role: Role) -> String {
        usesColours && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The role of a status: success for 2xx, a warning for 3xx and 4xx, a failure for others.
    package static func role(ofStatus status: Int) -> Role {
        switch status {
        case 200..<300: .string
        case 300..<400: .number
        case 400..<500: .warning
        default: .failure
        }
    }
}

extension String {
    /// The text with control characters escaped, except line feeds and tabs.
    package var safeForTerminals: String {
        guard unicodeScalars.contains(where: \.isHiddenFromTerminals) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isHiddenFromTerminals {
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The text in at most `width` columns, with an ellipsis if it was cut.
    package func truncated(to width: Int, _ style: TextStyle) -> String {
        guard count > width else { return self }
        guard width > 1 else { return String(prefix(max(0, width))) }
        return prefix(width - 1) + (style.usesUnicode ? "…" : "~")
    }

    /// The text with spaces after it, up to `width` columns.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with spaces before it, up to `width` columns.
    package func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Unicode.Scalar {
    fileprivate var isHiddenFromTerminals: Bool { actsOnTerminals && self != "\n" && self != "\t" }
}
