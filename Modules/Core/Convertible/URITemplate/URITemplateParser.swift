internal import AirframeTransport

/// Parses a URI template (RFC 6570 §2).
struct URITemplateParser {
    private let template: String
    private var rest: Substring

    init(_ template: String) {
        self.template = template
        rest = template[...]
    }

    mutating func parse() throws(URITemplateError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        while let next = rest.first {
            if next == "{" {
                rest.removeFirst()
                parts.append(try expression())
            } else {
                parts.append(.literal(try literal()))
            }
        }
        return parts
    }

    // MARK: Literals

    /// Parses the text up to the next expression. Characters that are invalid in a URI are percent-encoded (RFC 6570
    /// §3.1).
    private mutating func literal() throws(URITemplateError) -> String {
        let text = rest.prefix { $0 != "{" }
        rest = rest[text.endIndex...]
        let bytes = Array(text.utf8)
        for scalar in text.unicodeScalars where !Self.isLiteral(scalar) {
            throw error(scalar == "}" ? .unexpectedClosingBrace : .invalidLiteral(Character(scalar)))
        }
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
            guard PercentEncoding.isTriplet(bytes[index...]) else { throw error(.invalidLiteral("%")) }
        }
        return PercentEncoding.reserved.encode(bytes: text.utf8, keepsTriplets: true)
    }

    /// Any character but controls, spaces and ``"'<>\^`{|}`` (RFC 6570 §2.1). The apostrophe is allowed: it is a
    /// sub-delimiter of RFC 3986 §2.2.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0x9F: false
        default: !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        }
    }

    // MARK: Expressions

    private mutating func expression() throws(URITemplateError) -> URITemplate.Part {
        guard let end = rest.firstIndex(of: "}") else { throw error(.unclosedExpression) }
        var content = rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard let first = content.first else { throw error(.emptyExpression) }
        if "=,!@|".contains(first) { throw error(.reservedOperator(first)) }
        let operation = first == "\0" ? nil : URITemplateOperator(rawValue: first)
        if operation != nil { content.removeFirst() }
        guard !content.isEmpty else { throw error(.emptyExpression) }
        var variables: [URITemplate.Variable] = []
        for text in content.split(separator: ",", omittingEmptySubsequences: false) {
            variables.append(try variable(text))
        }
        return .expression(operation ?? .simple, variables)
    }

    private func variable(_ text: Substring) throws(URITemplateError) -> URITemplate.Variable {
        var name = text
        var modifier = URITemplate.Variable.Modifier.none
        if text.last == "*" {
            name = text.dropLast()
            modifier = .explode
        } else if let colon = text.firstIndex(of: ":") {
            name = text[..<colon]
            let digits = text[text.index(after: colon)...].utf8
            // One to four digits, the first of them not zero (RFC 6570 §2.4.1).
            guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.first != UInt8(ascii: "0"), let count = Int(String(digits) ?? "")
            else { throw error(.invalidVariable(String(text))) }
            modifier = .prefix(count)
        }
        guard Self.isName(name) else { throw error(.invalidVariable(String(text))) }
        return URITemplate.Variable(name: String(name), modifier: modifier)
    }

    /// Letters, digits, underscores and percent-encoded triplets, with single dots between them (RFC 6570 §2.3).
    private static func isName(_ name: Substring) -> Bool {
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            let bytes = Array(label.utf8)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "%"), PercentEncoding.isTriplet(bytes[index...]) {
                    index += 3
                } else if byte == UInt8(ascii: "_")
                    || (PercentEncoding.unreserved.leaves(byte) && !"-.~".utf8.contains(byte))
                {
                    index += 1
                } else {
                    return false
                }
            }
            return !bytes.isEmpty
        }
    }

    private func error(_ reason: URITemplateError.Reason) -> URITemplateError {
        URITemplateError(template: template, reason: reason)
    }
}
