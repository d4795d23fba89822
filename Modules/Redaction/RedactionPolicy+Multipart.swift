extension RedactionPolicy {
    /// Returns a multipart body (RFC 2046 §5.1, RFC 7578) without its secrets.
    ///
    /// The content of a part with a secret `name` is replaced as a whole. A part with a media type is redacted by
    /// ``text(_:mediaType:)``. The header fields of parts are redacted like those of messages.
    ///
    /// - Parameters:
    ///   - body: The body. It may be truncated anywhere.
    ///   - boundary: The boundary between the parts.
    public func multipart(_ body: String, boundary: String) -> String {
        guard hidesParameters || !showsPlainText else { return body }
        let delimiter = Array("--\(boundary)".utf8)
        let bytes = Array(body.utf8)
        let starts = Self.occurrences(of: delimiter, in: bytes)
        guard let first = starts.first, !boundary.isEmpty else {
            return showsPlainText ? body : Self.placeholder(for: body)
        }
        // Recipients ignore the preamble (RFC 2046 §5.1.1), so it is hidden.
        var result = first == 0 ? "" : Self.placeholder + "\r\n"
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            let part = bytes[start + delimiter.count..<end]
            result += String(decoding: delimiter, as: UTF8.self) + self.part(part, isLast: index + 1 == starts.count)
        }
        return result
    }

    /// Redacts the text between two boundaries: the rest of a line, fields, an empty line and the content.
    private func part(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> String {
        if isLast, bytes.starts(with: "--".utf8) { return "--\r\n" }
        guard let (head, content) = Self.split(bytes) else {
            // Truncated within the fields, or without fields.
            return bytes.contains { $0 > 0x20 } ? "\r\n\(Self.placeholder)\r\n" : String(decoding: bytes, as: UTF8.self)
        }
        var name: String?
        var mediaType: String?
        var lines = ""
        for line in String(decoding: head, as: UTF8.self).utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = String(Substring(line))
            let field = line.utf8.prefix { $0 != UInt8(ascii: ":") }
            let fieldName = String(Substring(field))
            let value = String(Substring(line.utf8[field.endIndex...].dropFirst().drop { $0 == UInt8(ascii: " ") }))
            switch fieldName.lowercased() {
            case "content-disposition": name = HeaderParameters(value)["name"] ?? HeaderParameters(value)["name*"]
            case "content-type": mediaType = value
            default: break
            }
            lines += "\(fieldName): \(self.value(value, of: fieldName))\r\n"
        }
        return "\r\n\(lines)\r\n" + self.content(content, named: name, mediaType: mediaType)
    }

    private func content(_ bytes: ArraySlice<UInt8>, named name: String?, mediaType: String?) -> String {
        let ending = bytes.suffix(while: { $0 == 0x0A || $0 == 0x0D })
        let text = String(decoding: bytes[..<ending.startIndex], as: UTF8.self)
        let lineEnd = String(decoding: ending, as: UTF8.self)
        if text.isEmpty { return lineEnd }
        if let name, isSecret(parameter: name) { return Self.placeholder + lineEnd }
        // A part without a media type is a form's plain value (RFC 7578 §4.4), which its name describes.
        if mediaType == nil, name != nil {
            let first = text.utf8.first { $0 > 0x20 }
            let hasNames = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "<")
            return (hasNames ? self.text(text, mediaType: nil) : url(text)) + lineEnd
        }
        // A multipart form within a part is hidden: it does not occur in practice, and its depth would be unbounded.
        if mediaType?.lowercased().hasPrefix("multipart/") ?? false { return Self.placeholder(for: text) + lineEnd }
        return self.text(text, mediaType: mediaType) + lineEnd
    }

    /// Returns the offsets of the boundary at the beginning of a line. Occurrences do not overlap, as they could if the
    /// boundary contains a line feed.
    private static func occurrences(of delimiter: [UInt8], in bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        var index = 0
        while index + delimiter.count <= bytes.count {
            if bytes[index...].starts(with: delimiter) {
                found.append(index)
                index += delimiter.count
            }
            guard let line = bytes[index...].firstIndex(of: 0x0A) else { break }
            index = line + 1
        }
        return found
    }

    /// Returns the fields and the content of a part, which an empty line separates.
    private static func split(_ bytes: ArraySlice<UInt8>) -> (head: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        var index = bytes.startIndex
        while let end = bytes[index...].firstIndex(of: 0x0A) {
            let next = bytes[(end + 1)...]
            if next.starts(with: [0x0D, 0x0A]) { return (bytes[..<end], next.dropFirst(2)) }
            if next.first == 0x0A { return (bytes[..<end], next.dropFirst()) }
            index = end + 1
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate func suffix(while isTaken: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = endIndex
        while start > startIndex, isTaken(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
