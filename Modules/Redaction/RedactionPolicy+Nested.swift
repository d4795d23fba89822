extension RedactionPolicy {
    /// The maximum number of documents that contain each other: JSON in JSON in XML occurs in practice. The limit
    /// bounds the work on hostile input.
    static let deepestDocument = 3

    /// Returns text within a document, such as a string of JSON or the text of an element, without its secrets. It may
    /// be another document, a form, a URL, or a sentence with URLs.
    ///
    /// - Parameters:
    ///   - text: The text, with the document's escapes resolved.
    ///   - depth: The number of documents that contain the document.
    func nested(_ text: String, depth: Int) -> String {
        // Most strings have nothing to hide, and one pass finds that out.
        guard text.utf8.contains(where: "\"<@?#;=".utf8.contains) else { return text }
        var redacted = text
        if depth < Self.deepestDocument {
            let first = text.utf8.first { $0 > UInt8(ascii: " ") }
            if first == UInt8(ascii: "<") { return hidingElements(in: text, depth: depth + 1) }
            if text.utf8.contains(UInt8(ascii: "\"")) { redacted = hidingValues(in: text, depth: depth + 1) }
            if redacted.utf8.contains(UInt8(ascii: "<")) { redacted = hidingElements(in: redacted, depth: depth + 1) }
            let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            // The strings of JSON have been searched. Its punctuation must not be taken for that of a URL.
            if isJSON, redacted != text || Self.isLikeJSON(text.utf8) { return redacted }
        }
        redacted = beginsWithURL(redacted) ? url(redacted) : sentence(redacted)
        return Self.beginsWithName(text) ? form(redacted) : redacted
    }

    /// Returns whether the first word of `text` has a scheme with slashes. A URL within a sentence ends at a space.
    private func beginsWithURL(_ text: String) -> Bool {
        let start = text.utf8.drop { $0 <= UInt8(ascii: " ") }
        return schemeSlashes(in: Substring(start.prefix { $0 > UInt8(ascii: " ") })) != nil
    }

    /// Returns whether `text` begins with the name of a parameter, as a form does, and neither as a URL with a query
    /// nor as a sentence.
    private static func beginsWithName(_ text: String) -> Bool {
        let start = text.utf8.drop { $0 <= UInt8(ascii: " ") }
        guard let mark = start.firstIndex(where: "=?#".utf8.contains), start[mark] == UInt8(ascii: "=") else {
            return false
        }
        return !start[..<mark].contains { $0 <= UInt8(ascii: " ") || "\"<{".utf8.contains($0) }
    }
}
