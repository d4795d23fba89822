extension String {
    /// The text in one line, with control characters written as escapes such as `\u{1b}`.
    ///
    /// Every text from a peer is converted before it is shown. In a log or an error it must not start a new line, send
    /// commands to a terminal, or change the direction of the text around it.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isUnprintable: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may interpret the character as a command, a new line or a change of direction.
    ///
    /// These are the controls of ASCII and Latin 1 (C0, DEL, C1), line and paragraph separators, the marks, embeddings,
    /// overrides and isolates of the bidirectional algorithm (UAX #9), invisible characters that no script needs, and
    /// tags.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
