internal import Foundation

/// A piece of XML or HTML.
package enum MarkupToken: Hashable, Sendable {
    /// `<name …>`; `isEmpty` for `<name/>`.
    case open(name: String, text: String, isEmpty: Bool)
    /// `</name>`
    case close(text: String)
    /// A comment, a declaration, a processing instruction or a CDATA section.
    case other(text: String)
    /// Text between tags.
    case text(String)

    /// Splits markup into tokens, which together are the whole text, even if it is malformed.
    package static func tokens(of markup: String) -> [MarkupToken] {
        var tokens: [MarkupToken] = []
        var rest = Substring(markup)
        while !rest.isEmpty {
            guard let start = rest.firstIndex(of: "<") else {
                tokens.append(.text(String(rest)))
                break
            }
            if start > rest.startIndex { tokens.append(.text(String(rest[..<start]))) }
            rest = rest[start...]
            let length = length(ofTag: rest)
            let tag = String(rest.prefix(length))
            rest = rest.dropFirst(length)
            tokens.append(token(tag))
            if case .open(let name, _, false) = tokens.last, ["script", "style"].contains(name.lowercased()) {
                // The content is not markup.
                let end = rest.range(of: "</\(name)", options: .caseInsensitive)?.lowerBound ?? rest.endIndex
                let content = rest[..<end]
                if !content.isEmpty { tokens.append(.text(String(content))) }
                rest = rest[end...]
            }
        }
        return tokens
    }

    /// The number of characters from `<` to the end of the tag, comment or section.
    private static func length(ofTag rest: Substring) -> Int {
        for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] where rest.hasPrefix(start) {
            guard let range = rest.dropFirst(start.count).range(of: end) else { return rest.count }
            return rest.distance(from: rest.startIndex, to: range.upperBound)
        }
        var quote: Character?
        var count = 0
        for character in rest {
            count += 1
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return count
            }
        }
        return rest.count
    }

    private static func token(_ tag: String) -> MarkupToken {
        if tag.hasPrefix("</") { return .close(text: tag) }
        guard tag.dropFirst().first?.isLetter == true || tag.dropFirst().first == "_" else { return .other(text: tag) }
        let name = tag.dropFirst().prefix { !$0.isWhitespace && $0 != "/" && $0 != ">" }
        return .open(name: String(name), text: tag, isEmpty: tag.hasSuffix("/>"))
    }
}
