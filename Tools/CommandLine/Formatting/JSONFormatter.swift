/// JSON indented by four spaces, with names and values in colours.
package struct JSONFormatter: Sendable {
    private let indents: Bool
    private let style: TextStyle

    package init(indents: Bool, style: TextStyle) {
        self.indents = indents
        self.style = style
    }

    /// The text of a value.
    package func text(_ node: JSONNode) -> String {
        var result = ""
        write(node, depth: 0, to: &result)
        return result
    }

    private func write(_ node: JSONNode, depth: Int, to result: inout String) {
        switch node {
        case .null, .bool: result += style.paint(node.compactText, .literal)
        case .number(let digits): result += style.paint(digits, .number)
        case .string(let text): result += style.paint(JSONNode.quoted(text), .string)
        case .array(let elements):
            list(elements, "[", "]", depth: depth, to: &result) { element, result in
                write(element, depth: depth + 1, to: &result)
            }
        case .object(let members):
            list(members, "{", "}", depth: depth, to: &result) { member, result in
                result += style.paint(JSONNode.quoted(member.name), .name) + (indents ? ": " : ":")
                write(member.value, depth: depth + 1, to: &result)
            }
        }
    }

    private func list<Element>(
        _ elements: [Element],
        _ open: String,
        _ close: String,
        depth: Int,
        to result: inout String,
        _ body: (Element, inout String) -> Void
    ) {
        result += open
        for (index, element) in elements.enumerated() {
            if index > 0 { result += "," }
            if indents { result += "\n" + BodyFormatter.indentation(columns: 4 * (depth + 1)) }
            body(element, &result)
        }
        if indents, !elements.isEmpty { result += "\n" + BodyFormatter.indentation(columns: 4 * depth) }
        result += close
    }
}
