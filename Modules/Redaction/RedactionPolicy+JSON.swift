extension RedactionPolicy {
    /// Returns JSON without its secrets: `{"user":"pilot","password":"•••"}`.
    ///
    /// The value of a secret key is replaced as a whole: a string, a number, an object or an array. `true`, `false`,
    /// `null` and empty strings stay, and so does a number under `code`, which is usually an error code. JSON, XML,
    /// forms and URLs within strings are redacted, too.
    ///
    /// The text need not be valid JSON: it may be truncated anywhere, or contain several values in lines.
    public func json(_ json: String) -> String { hidingValues(in: json, depth: 0) }

    /// Returns JSON without its secrets.
    ///
    /// - Parameters:
    ///   - json: The JSON.
    ///   - depth: The number of documents that contain it.
    func hidingValues(in json: String, depth: Int) -> String {
        guard hidesParameters else { return json }
        var result = ""
        var copied = json.startIndex
        var index = json.startIndex
        let bytes = json.utf8
        while let quote = bytes[index...].firstIndex(of: UInt8(ascii: "\"")) {
            let end = bytes.endOfText(from: quote)
            let colon = bytes.skippingSpace(from: end)
            let content = unquoted(json[quote..<end])
            if colon < bytes.endIndex, bytes[colon] == UInt8(ascii: ":") {
                index = bytes.skippingSpace(from: bytes.index(after: colon))
                guard isSecret(parameter: content) else { continue }
                let value = json[index..<bytes.endOfValue(from: index)]
                index = value.endIndex
                guard !isHarmless(value, of: content) else { continue }
                result += json[copied..<value.startIndex] + "\"\(Self.placeholder)\""
                copied = index
            } else {
                index = end
                let redacted = nested(content, depth: depth)
                guard redacted != content else { continue }
                result +=
                    json[copied...quote] + (redacted.utf8.contains(where: mustBeEscaped) ? Self.placeholder : redacted)
                result += "\""
                copied = end
            }
        }
        return copied == json.startIndex ? json : result + json[copied...]
    }

    private func isHarmless(_ value: Substring, of key: String) -> Bool {
        switch value {
        case "", "\"\"", "true", "false", "null": true
        default: key.lowercased() == "code" && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns the text between the quotes, with escapes resolved (RFC 8259 §7).
    private func unquoted(_ text: Substring) -> String {
        var bytes = text.utf8.dropFirst()
        if bytes.last == UInt8(ascii: "\"") { bytes.removeLast() }
        guard bytes.contains(UInt8(ascii: "\\")) else { return String(Substring(bytes)) }
        var result = String.UnicodeScalarView()
        var rest = Substring(bytes).unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            // Not `rest.count`, which takes time proportional to all that follows.
            let digits = rest.prefix(4)
            if escaped == "u", digits.count == 4, let code = UInt32(String(digits), radix: 16) {
                rest = rest.dropFirst(4)
                result.append(Unicode.Scalar(code) ?? "\u{FFFD}")
            } else {
                result.append(escaped)
            }
        }
        return String(result)
    }
}

extension String.UTF8View {
    /// Returns the index after the string that begins at `quote`; the end if the string is truncated.
    fileprivate func endOfText(from quote: Index) -> Index {
        var index = self.index(after: quote)
        while index < endIndex {
            let byte = self[index]
            index = self.index(after: index)
            if byte == UInt8(ascii: "\"") { return index }
            if byte == UInt8(ascii: "\\"), index < endIndex { index = self.index(after: index) }
        }
        return endIndex
    }

    fileprivate func skippingSpace(from start: Index) -> Index {
        self[start...].firstIndex { $0 > UInt8(ascii: " ") } ?? endIndex
    }

    /// Returns the index after the value that begins at `start`.
    fileprivate func endOfValue(from start: Index) -> Index {
        var index = start
        var depth = 0
        while index < endIndex {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = endOfText(from: index)
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return index }
                depth -= 1
                if depth == 0 { return self.index(after: index) }
            case UInt8(ascii: ","), 0...0x20: if depth == 0 { return index }
            default: break
            }
            index = self.index(after: index)
        }
        return endIndex
    }
}
