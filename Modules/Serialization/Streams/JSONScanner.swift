/// A scanner that finds the end of a JSON text by its brackets and strings, without validating their contents.
struct JSONScanner: Sendable {
    private enum Position {
        case beforeValue
        /// A number or a literal, which ends at the byte that follows.
        case inScalar
        case inString(isEscaped: Bool)
        case betweenTokens
    }

    private var depth = 0
    private var position = Position.beforeValue
    private var endedByBlank = false

    /// Whether a complete value has been read.
    var isComplete: Bool {
        switch position {
        case .beforeValue, .inString: false
        case .inScalar, .betweenTokens: depth <= 0
        }
    }

    /// Whether the value could continue: `12` of `123`.
    var mayGoOn: Bool {
        guard case .inScalar = position else { return false }
        return depth <= 0 && !endedByBlank
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    mutating func take(_ byte: UInt8) {
        switch position {
        case .inString(isEscaped: true): position = .inString(isEscaped: false)
        case .inString(isEscaped: false):
            if byte == UInt8(ascii: "\\") {
                position = .inString(isEscaped: true)
            } else if byte == UInt8(ascii: "\"") {
                position = .betweenTokens
            }
        case .beforeValue, .inScalar, .betweenTokens: takeToken(byte)
        }
    }

    private mutating func takeToken(_ byte: UInt8) {
        switch byte {
        case _ where Self.isBlank(byte):
            if case .inScalar = position { endedByBlank = true }
        case UInt8(ascii: "\""): position = .inString(isEscaped: false)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            depth += 1
            position = .betweenTokens
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            depth -= 1
            position = .betweenTokens
        case UInt8(ascii: ","), UInt8(ascii: ":"): position = .betweenTokens
        default:
            position = .inScalar
            endedByBlank = false
        }
    }
}
