extension String {
    /// The text in one line, with control characters written as escapes such as `\u{1b}`.
    ///
    /// Text from a peer must neither begin a line of its own in a log or an error, nor give a terminal commands, nor
    /// change the direction in which the text around it is read. Every such text passes through here before it is
    /// shown.
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
    /// Whether a terminal would take the character for a command, a new line or a change of direction: the controls of
    /// ASCII and Latin 1 (C0, DEL, C1), the separators of lines and paragraphs, marks, embeddings, overrides and
    /// isolates of the bidirectional algorithm (UAX #9), invisible characters that no script needs, and tags.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
        default: false
        }
    }
}
