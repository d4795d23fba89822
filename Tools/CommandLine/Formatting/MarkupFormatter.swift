internal import Foundation

/// XML and HTML in colours, XML indented where white space is insignificant.
package struct MarkupFormatter: Sendable {
    private let indents: Bool
    private let style: TextStyle

    package init(indents: Bool, style: TextStyle) {
        self.indents = indents
        self.style = style
    }

    /// The markup. Indented, an element with text among its children stays as it is.
    package func text(_ markup: String) -> String {
        let tokens = MarkupToken.tokens(of: markup)
        guard indents else { return tokens.map(painted).joined() }
        return indented(tokens)
    }

    private func indented(_ tokens: [MarkupToken]) -> String {
        let hasText = elementsWithText(tokens)
        var result = ""
        var depth = 0
        /// The number of open elements from the outermost one with text on; within it nothing is indented.
        var verbatim = 0
        for (index, token) in tokens.enumerated() {
            if verbatim > 0 {
                result += painted(token)
                switch token {
                case .open(_, _, false): verbatim += 1
                case .close: verbatim -= 1
                default: break
                }
                if verbatim == 0 { result += "\n" }
                continue
            }
            let indent = BodyFormatter.indentation(columns: 2 * depth)
            switch token {
            case .text: break
            case .other: result += indent + painted(token) + "\n"
            case .open(_, _, true): result += indent + painted(token) + "\n"
            case .open:
                result += indent + painted(token)
                if hasText.contains(index) {
                    verbatim = 1
                } else {
                    result += "\n"
                    depth += 1
                }
            case .close:
                depth = max(0, depth - 1)
                result += BodyFormatter.indentation(columns: 2 * depth) + painted(token) + "\n"
            }
        }
        return result
    }

    /// The places of the elements that have text, or nothing at all, directly within.
    private func elementsWithText(_ tokens: [MarkupToken]) -> Set<Int> {
        var result: Set<Int> = []
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            switch token {
            case .open(_, _, false): open.append(index)
            case .close:
                if let start = open.popLast(), start == index - 1 { result.insert(start) }
            case .text(let text):
                if let parent = open.last, !text.allSatisfy(\.isWhitespace) { result.insert(parent) }
            case .other(let text):
                if let parent = open.last, text.hasPrefix("<![CDATA[") { result.insert(parent) }
            case .open: break
            }
        }
        return result
    }

    private func painted(_ token: MarkupToken) -> String {
        switch token {
        case .text(let text): text.safeForTerminals
        case .other(let text): style.paint(text.safeForTerminals, .dim)
        case .close(let text): style.paint(text.safeForTerminals, .name)
        case .open(let name, let text, _): paintedTag(name, text.safeForTerminals)
        }
    }

    /// A tag. The values of its attributes have a separate colour.
    private func paintedTag(_ name: String, _ text: String) -> String {
        guard style.usesColours, text.contains("=") else { return style.paint(text, .name) }
        var result = ""
        var plain = ""
        var rest = Substring(text)
        while let quote = rest.firstIndex(where: { $0 == "\"" || $0 == "'" }) {
            let after = rest.index(after: quote)
            let end = rest[after...].firstIndex(of: rest[quote]).map { rest.index(after: $0) } ?? rest.endIndex
            plain = String(rest[..<quote])
            result += style.paint(plain, .name) + style.paint(String(rest[quote..<end]), .string)
            rest = rest[end...]
        }
        return result + style.paint(String(rest), .name)
    }
}
