internal import AirframeTransport
internal import HTTPTypes

extension HAR.Header {
    /// Returns fields in the form of an archive.
    static func fields(_ fields: HTTPFields, _ redaction: RedactionPolicy) -> [HAR.Header] {
        fields.map { HAR.Header(name: $0.name.rawName, value: redaction.value($0.value, of: $0.name)) }
    }

    /// Returns the items of a URL's query.
    static func query(of url: String, _ redaction: RedactionPolicy) -> [HAR.Header] {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        let query = Substring(url.utf8[mark...].dropFirst().prefix { $0 != UInt8(ascii: "#") })
        return HAR.pairs(ofForm: query).map { name, value in
            HAR.Header(name: name, value: redaction.parameter(value ?? "", named: name))
        }
    }
}

extension RedactionPolicy {
    /// Returns a parameter's decoded value. The placeholder replaces a secret, and a value that contains secret
    /// parameters, which ``url(_:)`` hides as a whole, too.
    func parameter(_ value: String, named name: String) -> String {
        guard !value.isEmpty else { return value }
        // The value may be a form or a URL. After a `=` it may also be one that is still percent-encoded. A name may
        // contain other marks than `&` at which a name begins.
        let forms = [value, "=\(value)", "\(name)=\(value)"]
        let isHidden = isSecret(parameter: name) || forms.contains { form($0) != $0 }
        return isHidden ? Self.placeholder : url(value)
    }
}

extension HAR {
    /// Returns the decoded pairs of a query or a form; the value is `nil` without a `=`.
    package static func pairs(ofForm text: some StringProtocol) -> [(name: String, value: String?)] {
        // Bytes and not characters: an `&` with a combining accent is a separator too.
        String(text).utf8.split(separator: UInt8(ascii: "&")).map { pair in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return (decoded(Substring(pair)), nil) }
            return (decoded(Substring(pair[..<equals])), decoded(Substring(pair[equals...].dropFirst())))
        }
    }

    private static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = Character(Unicode.Scalar(bytes[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(bytes[index + 2])).hexDigitValue
            {
                result.append(UInt8(high << 4 | low))
                index += 3
            } else {
                result.append(bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
