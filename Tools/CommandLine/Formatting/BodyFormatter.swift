package import Foundation

/// Formats a body by its media type, and summarises one that is not text.
package struct BodyFormatter: Sendable {
    /// The formatting of bodies.
    package enum Mode: String, Sendable, CaseIterable {
        /// Indents and colours.
        case all
        /// Colours only.
        case colors
        /// Indents only.
        case format
        /// Neither: the bytes as they are.
        case none
    }

    /// Larger bodies are written unformatted: formatting needs several times their size in memory.
    package static let largestBody = 8 << 20

    /// The widest indentation in columns. Deeper levels are not indented further, because the length of the text would
    /// be the product of the body's length and its depth.
    private static let widestIndentation = 80

    private let indents: Bool
    private let style: TextStyle

    /// - Parameters:
    ///   - mode: What is done.
    ///   - style: The terminal's style; colours are left out unless `mode` has them.
    package init(_ mode: Mode, style: TextStyle) {
        indents = mode == .all || mode == .format
        let colours = mode == .all || mode == .colors
        self.style = TextStyle(usesColours: style.usesColours && colours, usesUnicode: style.usesUnicode)
    }

    /// Returns the body as text for a terminal, with a line feed at the end.
    ///
    /// - Parameters:
    ///   - body: The content, without content codings.
    ///   - mediaType: The value of `Content-Type`.
    package func text(_ body: Data, mediaType: String?) -> String {
        guard !body.isEmpty else { return "" }
        let essence = Self.essence(mediaType)
        if let image = ImageSummary(body) { return line(image.text(byteCount: body.count)) }
        guard let text = Self.text(body, charset: Self.parameter("charset", of: mediaType)) else {
            let kind = essence.isEmpty ? "bytes" : essence
            return line("\(Quantities.bytes(Int64(body.count))) of \(kind), not shown: write them to a file with -o")
        }
        guard body.count <= Self.largestBody else { return terminated(text.safeForTerminals) }
        return terminated(formatted(text, essence))
    }

    /// Returns the spaces before a line.
    static func indentation(columns: Int) -> String {
        String(repeating: " ", count: min(columns, widestIndentation))
    }

    /// Whether the body is text, and not shown as a summary.
    package func isText(_ body: Data, mediaType: String?) -> Bool {
        ImageSummary(body) == nil && Self.text(body, charset: Self.parameter("charset", of: mediaType)) != nil
    }

    private func formatted(_ text: String, _ essence: String) -> String {
        if essence == "application/x-www-form-urlencoded" { return FormFormatter(style: style).text(text) }
        if essence.hasSuffix("json") || Self.looksLikeJSON(text, essence) {
            guard let node = try? JSONReader.read(text.utf8) else { return text.safeForTerminals }
            return JSONFormatter(indents: indents, style: style).text(node)
        }
        if essence.hasSuffix("xml") || essence == "text/html" {
            return MarkupFormatter(indents: indents && essence.hasSuffix("xml"), style: style).text(text)
        }
        return text.safeForTerminals
    }

    /// The line in place of a body that is not shown.
    private func line(_ words: String) -> String { style.paint("[\(words.safeForTerminals)]", .dim) + "\n" }

    private func terminated(_ text: String) -> String { text.hasSuffix("\n") ? text : text + "\n" }

    /// JSON that the server labels as plain text.
    private static func looksLikeJSON(_ text: String, _ essence: String) -> Bool {
        guard essence.isEmpty || essence == "text/plain" || essence == "text/javascript" else { return false }
        return text.first == "{" || text.first == "["
    }

    private static func text(_ body: Data, charset: String?) -> String? {
        let isLatin = ["iso-8859-1", "latin1", "windows-1252"].contains(charset?.lowercased())
        if body.contains(0) { return nil }
        return String(data: body, encoding: .utf8) ?? (isLatin ? String(data: body, encoding: .isoLatin1) : nil)
    }

    /// The type and subtype of a media type, in lower case.
    package static func essence(_ mediaType: String?) -> String {
        let essence = mediaType?.split(separator: ";", maxSplits: 1).first ?? ""
        return essence.trimmingCharacters(in: .whitespaces).lowercased()
    }

    private static func parameter(_ name: String, of mediaType: String?) -> String? {
        mediaType?.split(separator: ";").dropFirst().lazy
            .map { $0.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
            .first { $0.count == 2 && $0[0].lowercased() == name }
            .map { $0[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
    }
}
