internal import FoundationEssentials

/// A parsed `Set-Cookie` field, before any check (RFC 6265bis §5.6).
struct SetCookieField {
    var name: String
    var value: String
    /// The `Domain` attribute without its leading dot, in lower case; `nil` if it is missing or empty.
    var domain: String?
    /// The `Path` attribute; `nil` if it is missing or invalid, so that the default path counts.
    var path: String?
    var expires: Date?
    /// The seconds of `Max-Age`, clamped to the range of `Int`.
    var maximumAge: Int?
    var isSecure = false
    var isHTTPOnly = false
    var isPartitioned = false
    var sameSite: HTTPCookieStringPolicy?

    /// The maximum number of bytes of name and value together (§5.6, step 5).
    static let sizeLimit = 4096
    /// The maximum number of bytes of an attribute's value; a longer attribute is ignored.
    static let attributeSizeLimit = 1024

    /// Parses a field.
    ///
    /// - Throws: The reason to ignore the field.
    init(_ field: String) throws(CookieRejection.Reason) {
        guard !Self.hasControls(field.utf8) else { throw .controlCharacter }
        let parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = parts[0]
        if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
            name = Self.trimmed(pair[..<equals])
            value = Self.trimmed(pair[pair.index(after: equals)...])
        } else {
            name = ""
            value = Self.trimmed(pair)
        }
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.utf8.count + value.utf8.count <= Self.sizeLimit else { throw .tooLarge }
        for part in parts.dropFirst() {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let attribute = Self.trimmed(part[..<(equals ?? part.endIndex)])
            let text = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
            if text.utf8.count <= Self.attributeSizeLimit { take(attribute, text) }
        }
    }

    /// The last attribute of a name counts.
    private mutating func take(_ attribute: String, _ text: String) {
        switch attribute.lowercased() {
        case "expires":
            if let date = CookieDate.parse(text) { expires = date }
        case "max-age":
            if let seconds = Self.seconds(text) { maximumAge = seconds }
        case "domain":
            let domain = text.first == "." ? String(text.dropFirst()) : text
            self.domain = domain.isEmpty ? nil : domain.lowercased()
        case "path": path = text.first == "/" ? text : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "partitioned": isPartitioned = true
        case "samesite":
            switch text.lowercased() {
            case "none": sameSite = .sameSiteNone
            case "strict": sameSite = .sameSiteStrict
            case "lax": sameSite = .sameSiteLax
            default: sameSite = nil
            }
        default: break
        }
    }

    /// `Max-Age`: digits, perhaps after a minus sign (§5.6.2).
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return isNegative ? .min : Int(digits) ?? .max
    }

    /// Whether the text contains a control character other than a tab.
    static func hasControls(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(Substring(start[...last]))
    }
}
