extension RedactionPolicy {
    /// A form (`application/x-www-form-urlencoded`) without its secrets: `user=pilot&password=•••`.
    ///
    /// It may be cut off anywhere: what is there of a secret is hidden.
    public func form(_ form: String) -> String {
        hidesParameters ? hidingParameters(in: form, isForm: true) : form
    }

    /// `text` with the values of secret parameters hidden.
    ///
    /// A name begins where a form begins, and after `?`, `&`, `;` and `#`. A secret goes on for as long as it can in
    /// the laxest reading: to the next `&`, or in a URL to the next `#`, or in its path to the next segment.
    ///
    /// - Parameters:
    ///   - text: A URL or a form.
    ///   - isForm: Whether `text` begins with a name.
    ///   - depth: How often a parameter's value was decoded to get at `text`.
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
                if value < end, isSecret || holdsSecret(text[value..<end], depth: depth) {
                    result += text[copied..<value] + Self.placeholder
                    copied = end
                }
            }
            index = firstName(in: bytes, from: end, &place)
        }
        return copied == text.startIndex ? text : result + text[copied...]
    }

    /// Where the next name begins, at or after `start`.
    private func firstName(
        in bytes: String.UTF8View,
        from start: String.Index,
        _ place: inout Place
    ) -> String.Index {
        guard let mark = bytes[start...].firstIndex(where: place.isMark) else { return bytes.endIndex }
        if place == .path, bytes[mark] != UInt8(ascii: ";") { place = .query }
        return bytes.index(after: mark)
    }

    /// Whether a value is a URL or a form of its own that has a secret in it.
    private func holdsSecret(_ value: Substring, depth: Int) -> Bool {
        // Nobody wraps a URL into a URL more often, and the depth of what comes from outside must have an end.
        guard depth < 4, value.utf8.contains(UInt8(ascii: "%")) else { return false }
        let decoded = percentDecoded(value)
        guard decoded != value else { return false }
        return hidesPasswords && hidingPasswords(in: decoded) != decoded
            || hidingParameters(in: decoded, isForm: true, depth: depth + 1) != decoded
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

    /// Where in a URL or form a parameter stands; it decides what ends it.
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
    /// The value of two hexadecimal digits.
    fileprivate init?(hexadecimal digits: Substring.UTF8View) {
        guard digits.count == 2, digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
            return nil
        }
        self.init(Substring(digits), radix: 16)
    }
}
