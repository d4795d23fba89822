extension RedactionPolicy {
    /// Returns a form (`application/x-www-form-urlencoded`) without its secrets: `user=pilot&password=•••`.
    ///
    /// The passwords in URLs are hidden, percent-encoded or not. The form may be truncated anywhere. A truncated secret
    /// is hidden.
    public func form(_ form: String) -> String {
        guard hidesParameters else { return form }
        return hidingParameters(in: hidesPasswords ? hidingPasswords(inForm: form) : form, isForm: true)
    }

    private func hidingPasswords(inForm form: String) -> String {
        guard form.utf8.contains(UInt8(ascii: "@")) else { return form }
        let pairs = form.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return pairs.map { hidingPasswords(in: String(Substring($0))) }.joined(separator: "&")
    }

    /// Returns `text` with the values of secret parameters hidden.
    ///
    /// A name begins at the start of a form, and after `?`, `&`, `;` and `#`. A secret extends as far as the most
    /// lenient parser would read it: to the next `&`, in a URL to the next `#`, in a path to the next segment.
    ///
    /// - Parameters:
    ///   - text: A URL or a form.
    ///   - isForm: Whether `text` begins with a name.
    ///   - depth: The number of times that a parameter's value was decoded to obtain `text`.
    func hidingParameters(in text: String, isForm: Bool, depth: Int = 0) -> String {
        var result = ""
        var copied = text.startIndex
        var place: Place = isForm ? .form : .path
        let bytes = text.utf8
        var index = isForm ? text.startIndex : firstName(in: bytes, from: text.startIndex, &place)
        while index < bytes.endIndex {
            let nameEnd = bytes[index...].firstIndex(where: place.endsName) ?? bytes.endIndex
            var end = nameEnd
            if nameEnd < bytes.endIndex, bytes[nameEnd] == UInt8(ascii: "=") {
                let value = bytes.index(after: nameEnd)
                let isSecret = isSecret(parameter: percentDecoded(text[index..<nameEnd]))
                end = bytes[value...].firstIndex(where: isSecret ? place.endsSecret : place.endsValue) ?? bytes.endIndex
                // Base64 ends in `==`, and is no parameter.
                let hasValue = bytes[value..<end].contains { $0 > UInt8(ascii: " ") && $0 != UInt8(ascii: "=") }
                if hasValue, isSecret || holdsSecret(text[value..<end], depth: depth) {
                    result += text[copied..<value] + Self.placeholder
                    copied = end
                }
            }
            index = firstName(in: bytes, from: end, &place)
        }
        return copied == text.startIndex ? text : result + text[copied...]
    }

    /// Returns the start of the next name at or after `start`.
    private func firstName(
        in bytes: String.UTF8View,
        from start: String.Index,
        _ place: inout Place
    ) -> String.Index {
        guard let mark = bytes[start...].firstIndex(where: place.isMark) else { return bytes.endIndex }
        if place == .path, bytes[mark] != UInt8(ascii: ";") { place = .query }
        return bytes.index(after: mark)
    }

    /// Returns whether a value is itself a URL or a form that contains a secret.
    private func holdsSecret(_ value: Substring, depth: Int) -> Bool {
        // Deeper nesting does not occur in practice, and recursion on outside data must be bounded.
        guard depth < 4, value.utf8.contains(UInt8(ascii: "%")) else { return false }
        let decoded = percentDecoded(value)
        guard decoded != value else { return false }
        return hidesPasswords && hidingPasswords(in: decoded) != decoded
            || hidingParameters(in: decoded, isForm: true, depth: depth + 1) != decoded
            || holdsSecret(decoded[...], depth: depth + 1)
    }

    private func percentDecoded(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var result: [UInt8] = []
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(hexadecimal: bytes.prefix(2)) {
                result.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The part of a URL or form that contains a parameter, which decides what ends the parameter.
    private enum Place {
        case path
        case query
        case form

        func isMark(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: "#"): true
            case UInt8(ascii: "&"): self != .path
            default: false
            }
        }

        func endsName(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: "=") || self == .path && byte == UInt8(ascii: "/") || isMark(byte)
        }

        func endsValue(_ byte: UInt8) -> Bool {
            self == .path && byte == UInt8(ascii: "/") || isMark(byte)
        }

        func endsSecret(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "&"): self != .path
            case UInt8(ascii: "#"): self != .form
            case UInt8(ascii: "/"), UInt8(ascii: "?"): self == .path
            default: false
            }
        }
    }
}

extension UInt8 {
    /// Returns the value of two hexadecimal digits.
    fileprivate init?(hexadecimal digits: Substring.UTF8View) {
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        self.init(Substring(digits), radix: 16)
    }
}
