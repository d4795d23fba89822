extension AuthenticationChallenge {
    /// The challenges in the values of a response's `WWW-Authenticate` fields, in order.
    ///
    /// A field may have several challenges. A comma separates challenges, and also the parameters of one challenge.
    /// Malformed parts (a stray parameter, an unterminated quoted-string) are skipped; the parts before and after them
    /// count.
    ///
    /// - Parameter values: The values of the fields, in order.
    public static func challenges(in values: [String]) -> [AuthenticationChallenge] {
        values.flatMap { value in
            var parser = ChallengeParser(value)
            return parser.challenges()
        }
    }
}

/// Reads `1#challenge` (RFC 9110 §11.6.1), and `1#auth-param` for `Authentication-Info` (RFC 9110 §11.6.3).
struct ChallengeParser {
    private let bytes: [UInt8]
    private var index = 0
    /// The number of unterminated quotes after which quotes count as plain characters. The search for the closing quote
    /// reads the rest of the value, so that without a bound a value of escaped quotes takes quadratic time.
    private var unendedQuotes = 8

    init(_ value: String) { bytes = Array(value.utf8) }

    mutating func challenges() -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        while true {
            skipBlanksAndCommas()
            guard let scheme = token() else {
                guard index < bytes.count else { return challenges }
                skipToComma()
                continue
            }
            // A parameter that belongs to no scheme.
            let afterName = index
            skipBlanks()
            if peek == UInt8(ascii: "=") {
                skipToComma()
                continue
            }
            let hasSpace = index > afterName
            // `realm=` without a value has the form of a token68, but these schemes have none.
            let mayHaveToken = hasSpace && !["basic", "digest"].contains(scheme.lowercased())
            if mayHaveToken, let token68 = token68() {
                challenges.append(AuthenticationChallenge(scheme: scheme, token68: token68))
            } else {
                challenges.append(AuthenticationChallenge(scheme: scheme, parameters: parameters()))
            }
        }
    }

    /// Reads parameters up to another challenge or the end.
    mutating func parameters() -> [String: String] {
        var parameters: [String: String] = [:]
        while true {
            let start = index
            skipBlanksAndCommas()
            guard let name = token() else {
                // An invalid name invalidates only its own parameter.
                guard index < bytes.count else { return parameters }
                skipToComma()
                continue
            }
            skipBlanks()
            guard peek == UInt8(ascii: "=") else {
                index = start
                return parameters
            }
            index += 1
            skipBlanks()
            guard let value = value() else {
                skipToComma()
                continue
            }
            let key = name.lowercased()
            parameters[key] = parameters[key] ?? value
        }
    }

    // MARK: Pieces

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { index += 1 }
    }

    private mutating func skipBlanksAndCommas() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: ",") { index += 1 }
    }

    /// Skips to the next comma outside a quoted-string.
    private mutating func skipToComma() {
        while let byte = peek, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\""), quotedString() != nil { continue }
            index += 1
        }
    }

    private mutating func token() -> String? {
        let start = index
        while let byte = peek, Self.isTokenByte(byte) { index += 1 }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Reads a token68, which a comma or the end must follow (RFC 9110 §11.2): `abc=` is one, `a=b` is a parameter.
    private mutating func token68() -> String? {
        let start = index
        while let byte = peek, Self.isToken68Byte(byte) { index += 1 }
        let hasContent = index > start
        while peek == UInt8(ascii: "=") { index += 1 }
        let end = index
        skipBlanks()
        let isWhole = hasContent && (peek == nil || peek == UInt8(ascii: ","))
        guard isWhole else {
            index = start
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Reads a token or a quoted-string. Some servers omit required quotes; the value then ends at the next comma.
    private mutating func value() -> String? {
        if peek == UInt8(ascii: "\"") { return quotedString() }
        let start = index
        while let byte = peek, byte != UInt8(ascii: ",") { index += 1 }
        var end = index
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return end > start ? String(decoding: bytes[start..<end], as: UTF8.self) : nil
    }

    /// Reads the content of a quoted-string without its escapes (RFC 9110 §5.6.4); `nil` if it is unterminated.
    private mutating func quotedString() -> String? {
        guard unendedQuotes > 0 else { return nil }
        let start = index
        index += 1
        var content: [UInt8] = []
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = peek else { break }
                content.append(escaped)
                index += 1
            default: content.append(byte)
            }
        }
        unendedQuotes -= 1
        index = start + 1
        return nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~+/".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
