internal import AirframeTransport

/// A media type with its parameters, parsed by the WHATWG MIME Sniffing Standard §4, which agrees with RFC 9110 §8.3.1
/// on valid values and defines the result for others.
public struct MediaType: Sendable, Hashable {
    /// A parameter, its name in lower case.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value, without quotes.
        public let value: String
    }

    /// The type: `text` of `text/html`, in lower case.
    public let type: String
    /// The subtype: `html` of `text/html`, in lower case.
    public let subtype: String
    /// The parameters in order. Of parameters with the same name, the first applies.
    public let parameters: [Parameter]

    /// Parses a field value: `text/html; charset="utf-8"`.
    ///
    /// - Parameter text: The value. Invalid parameters are skipped. A value without a type and a subtype returns `nil`.
    public init?(_ text: String) {
        var rest = Substring(text).unicodeScalars[...]
        rest.trimBlanks()
        let type = rest.take { $0 != "/" }
        guard rest.popFirst() != nil else { return nil }
        var subtype = rest.take { $0 != ";" }
        subtype.trimTrailingBlanks()
        guard type.isToken, subtype.isToken else { return nil }
        self.type = String(type).lowercased()
        self.subtype = String(subtype).lowercased()
        var parameters: [Parameter] = []
        var names: Set<String> = []
        while rest.popFirst() != nil {
            guard let parameter = Parameter(&rest) else { continue }
            if names.insert(parameter.name).inserted { parameters.append(parameter) }
        }
        self.parameters = parameters
    }

    /// Returns the value of a parameter whose name is in lower case.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Type and subtype: `text/html`.
    public var essence: String { "\(type)/\(subtype)" }
}

extension MediaType {
    /// Returns the `charset` of a field value, even if the value has no valid type.
    static func charset(of text: String) -> String? {
        guard let type = MediaType(text) else { return ParameterizedValue(text)?["charset"] }
        return type["charset"]
    }
}

extension MediaType.Parameter {
    /// Parses up to the next semicolon. Returns `nil` if there is no parameter.
    fileprivate init?(_ rest: inout Substring.UnicodeScalarView) {
        _ = rest.take(while: MediaTypeSyntax.isBlank)
        let name = rest.take { $0 != ";" && $0 != "=" }
        guard rest.first == "=" else { return nil }
        rest.removeFirst()
        let value: String
        if rest.first == "\"" {
            value = rest.takeQuoted()
            _ = rest.take { $0 != ";" }
        } else {
            var plain = rest.take { $0 != ";" }
            plain.trimTrailingBlanks()
            guard !plain.isEmpty else { return nil }
            value = String(plain)
        }
        guard name.isToken, value.unicodeScalars.allSatisfy(MediaTypeSyntax.isQuotable) else { return nil }
        self.init(name: String(name).lowercased(), value: value)
    }
}

extension MediaType: CustomStringConvertible {
    /// The media type as written in a field (WHATWG MIME Sniffing §4.5).
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            let isToken = Substring(parameter.value).unicodeScalars.isToken
            text += ";\(parameter.name)=\(isToken ? parameter.value : parameter.value.asQuotedString)"
        }
    }
}

/// The character classes of media types.
private enum MediaTypeSyntax {
    /// HTTP whitespace (Fetch Standard §2.2).
    static func isBlank(_ scalar: Unicode.Scalar) -> Bool { "\n\r\t ".unicodeScalars.contains(scalar) }

    /// RFC 9110 §5.6.2
    static func isToken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
        }
    }

    /// Characters of a quoted string (RFC 9110 §5.6.4), with bytes as Latin-1.
    static func isQuotable(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\t" || (0x20...0x7E).contains(scalar.value) || (0x80...0xFF).contains(scalar.value)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var isToken: Bool { !isEmpty && allSatisfy(MediaTypeSyntax.isToken) }

    fileprivate mutating func take(while condition: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
        let end = firstIndex { !condition($0) } ?? endIndex
        defer { self = self[end...] }
        return self[..<end]
    }

    fileprivate mutating func trimBlanks() {
        self = drop(while: MediaTypeSyntax.isBlank)
        trimTrailingBlanks()
    }

    fileprivate mutating func trimTrailingBlanks() {
        while let last, MediaTypeSyntax.isBlank(last) { removeLast() }
    }

    /// Removes a quoted string and returns its content. Without a closing quote, takes everything.
    fileprivate mutating func takeQuoted() -> String {
        removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = popFirst(), scalar != "\"" {
            // A backslash at the very end is literal.
            value.append(scalar == "\\" ? popFirst() ?? "\\" : scalar)
        }
        return String(value)
    }
}
