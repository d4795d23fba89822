extension RedactionPolicy {
    /// Returns XML or HTML without its secrets: `<login user="pilot"><password>•••</password></login>`.
    ///
    /// Hides the content of elements and the values of attributes with a secret name. The name may also be a value, as
    /// in `<entry key="password">•••</entry>`, `<input name="csrf" value="•••">`, and
    /// `<key>password</key><string>•••</string>` of a property list. Comments and attributes' values that contain a `<`
    /// are replaced. URLs, forms, JSON and escaped markup within text are redacted.
    ///
    /// The text need not be well formed: it may be truncated anywhere.
    public func xml(_ xml: String) -> String { hidingElements(in: xml, depth: 0) }

    /// Returns XML without its secrets.
    ///
    /// - Parameters:
    ///   - xml: The XML.
    ///   - depth: The number of documents that contain it.
    func hidingElements(in xml: String, depth: Int) -> String {
        guard hidesParameters else { return xml }
        var redactor = XMLRedactor(policy: self, text: xml, depth: depth)
        return redactor.run()
    }
}

/// Copies XML without its secrets.
private struct XMLRedactor {
    let policy: RedactionPolicy
    private let bytes: [UInt8]
    /// The number of documents that contain this one.
    private let depth: Int
    private var index = 0
    private var result: [UInt8] = []
    /// Whether the previous element named a secret that the next element contains.
    private var hidesNext = false

    init(policy: RedactionPolicy, text: String, depth: Int) {
        self.policy = policy
        self.depth = depth
        bytes = Array(text.utf8)
    }

    mutating func run() -> String {
        while index < bytes.count {
            let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            copyText(upTo: open)
            guard open < bytes.count else { break }
            if starts(with: "<!--") {
                hide(from: index + 4, upTo: end(of: "-->", from: index + 4))
            } else if starts(with: "<![CDATA[") {
                copySection()
            } else {
                tag()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: Tags

    private mutating func tag() {
        let end = endOfTag(from: index)
        let tag = XMLTag(bytes[index..<end])
        let hasNamedSecret = tag.attributes.contains {
            ["name", "key", "id", "property", "field"].contains($0.localName) && policy.isSecret(parameter: $0.text)
        }
        var copied = index
        for attribute in tag.attributes {
            // A value with a `<` may be all that follows a quote that is not closed.
            guard attribute.value.contains(UInt8(ascii: "<")) || isSecret(attribute, hasNamedSecret) else { continue }
            result += bytes[copied..<attribute.value.startIndex]
            result += RedactionPolicy.placeholder.utf8
            copied = attribute.value.endIndex
        }
        result += bytes[copied..<end]
        index = end
        // An unquoted secret may go on behind the `<` that has ended the tag.
        if let last = tag.attributes.last, last.value.endIndex == end, isSecretName(last, hasNamedSecret) {
            return hide(from: end, upTo: bytes.count)
        }
        guard tag.kind == .start else {
            if tag.kind == .other { hidesNext = false }
            return
        }
        let isNameHolder = tag.localName == "key" || tag.localName == "name"
        if hidesNext || hasNamedSecret || !isNameHolder && policy.isSecret(parameter: tag.localName) {
            hidesNext = false
            hideContent(of: tag)
        } else if isNameHolder {
            holder(tag)
        }
    }

    private func isSecret(_ attribute: XMLTag.Attribute, _ hasNamedSecret: Bool) -> Bool {
        guard !attribute.value.isEmpty, !["key", "id"].contains(attribute.localName) else { return false }
        if isSecretName(attribute, hasNamedSecret) { return true }
        let text = XMLText.decoded(attribute.text)
        return policy.nested(text, depth: depth) != text
    }

    private func isSecretName(_ attribute: XMLTag.Attribute, _ hasNamedSecret: Bool) -> Bool {
        guard !["key", "id"].contains(attribute.localName) else { return false }
        return hasNamedSecret && ["value", "content"].contains(attribute.localName)
            || policy.isSecret(parameter: attribute.localName)
    }

    /// Handles the element `key` of a property list, or `name` of an XML-RPC call: its content is a name, and the next
    /// element has the value.
    private mutating func holder(_ tag: XMLTag) {
        let close = bytes[index...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        var after = endOfTag(from: close)
        while after < bytes.count, bytes[after] <= 0x20 { after += 1 }
        let isName = bytes[close...].starts(with: "</".utf8)
        let isFollowed = bytes[after...].first == UInt8(ascii: "<") && !bytes[after...].starts(with: "</".utf8)
        if isName, isFollowed {
            hidesNext = policy.isSecret(parameter: String(decoding: bytes[index..<close], as: UTF8.self))
        } else if policy.isSecret(parameter: tag.localName) {
            hideContent(of: tag)
        }
    }

    private mutating func hideContent(of tag: XMLTag) {
        hide(from: index, upTo: endOfContent(of: tag))
    }

    /// Returns the start of the element's end tag; the end of the text if it is missing.
    private func endOfContent(of tag: XMLTag) -> Int {
        var position = index
        var depth = 1
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = endOfMarkup(from: open)
            let next = XMLTag(bytes[open..<position])
            guard next.name == tag.name else { continue }
            switch next.kind {
            case .start: depth += 1
            case .end:
                depth -= 1
                if depth == 0 { return open }
            case .other: break
            }
        }
        return bytes.count
    }

    // MARK: Bytes

    /// Returns the end of the tag, comment or CDATA section that begins at `start`.
    private func endOfMarkup(from start: Int) -> Int {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>")]
        where bytes[start...].starts(with: opening.utf8) {
            return min(end(of: closing, from: start + opening.utf8.count) + closing.utf8.count, bytes.count)
        }
        return endOfTag(from: start)
    }

    /// The part of a tag to which a byte belongs, as ``XMLTag`` reads it.
    private enum TagPart {
        case name
        case attribute
        /// The spaces between `=` and a value.
        case equals
        case value
        case quotedValue(UInt8)
    }

    /// Returns the end of the tag that begins at `start`. A `>` within a quoted value does not end it.
    ///
    /// The text need not be well formed: a quote elsewhere is an ordinary character, and a `<` outside of quotes begins
    /// another tag.
    private func endOfTag(from start: Int) -> Int {
        var part = TagPart.name
        var position = start + 1
        if position < bytes.count, bytes[position] == UInt8(ascii: "/") { position += 1 }
        while position < bytes.count {
            let byte = bytes[position]
            switch (part, byte) {
            case (.quotedValue(let quote), _): if byte == quote { part = .attribute }
            case (_, UInt8(ascii: ">")): return position + 1
            case (_, UInt8(ascii: "<")): return position
            case (.equals, 0...0x20): break
            case (_, 0...0x20), (.name, UInt8(ascii: "/")): part = .attribute
            case (.attribute, UInt8(ascii: "=")): part = .equals
            case (.equals, UInt8(ascii: "\"")), (.equals, UInt8(ascii: "'")): part = .quotedValue(byte)
            case (.equals, _): part = .value
            default: break
            }
            position += 1
        }
        return bytes.count
    }

    private mutating func hide(from start: Int, upTo end: Int) {
        result += bytes[index..<min(start, bytes.count)]
        if start < end { result += RedactionPolicy.placeholder.utf8 }
        index = max(index, end)
    }

    /// Copies text without its secrets.
    private mutating func copyText(upTo end: Int) {
        guard index < end else { return }
        let text = String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        let decoded = XMLText.decoded(text)
        guard decoded != text else {
            result += policy.nested(text, depth: depth).utf8
            return
        }
        // Escaped markup is another document.
        let redacted =
            depth < RedactionPolicy.deepestDocument
            ? policy.hidingElements(in: decoded, depth: depth + 1) : policy.nested(decoded, depth: depth)
        result += (redacted == decoded ? text : XMLText.escaped(redacted)).utf8
    }

    /// Copies a CDATA section, whose text has no references, without its secrets.
    private mutating func copySection() {
        let start = index + "<![CDATA[".utf8.count
        let end = end(of: "]]>", from: start)
        result += bytes[index..<start]
        result += policy.nested(String(decoding: bytes[start..<end], as: UTF8.self), depth: depth).utf8
        index = min(end + "]]>".utf8.count, bytes.count)
        result += bytes[end..<index]
    }

    private func starts(with text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private func end(of text: String, from start: Int) -> Int {
        let mark = Array(text.utf8)
        var position = start
        while position + mark.count <= bytes.count {
            if bytes[position...].starts(with: mark) { return position }
            position += 1
        }
        return bytes.count
    }
}

/// A tag of XML: its name and attributes.
private struct XMLTag {
    enum Kind {
        case start
        case end
        /// An empty element, a declaration, a processing instruction.
        case other
    }

    struct Attribute {
        let localName: String
        let value: ArraySlice<UInt8>
        var text: String { String(decoding: value, as: UTF8.self) }
    }

    let kind: Kind
    let name: ArraySlice<UInt8>
    let attributes: [Attribute]
    var localName: String { Self.localName(name) }

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes.dropFirst()
        let isEnd = rest.first == UInt8(ascii: "/")
        if isEnd { rest = rest.dropFirst() }
        let isMarkup = rest.first == UInt8(ascii: "?") || rest.first == UInt8(ascii: "!")
        name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let isEmpty =
            bytes.suffix(2).elementsEqual("/>".utf8) || Self.void.contains(Self.localName(name).lowercased())
        kind = isEnd ? .end : isMarkup || isEmpty ? .other : .start
        attributes = Self.attributes(in: rest[name.endIndex...])
    }

    /// The elements of HTML that have no end tag.
    private static let void: Set<String> = [
        "input", "meta", "link", "img", "br", "hr", "source", "embed", "param", "area",
    ]

    private static func attributes(in bytes: ArraySlice<UInt8>) -> [Attribute] {
        var attributes: [Attribute] = []
        var rest = bytes
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let name = rest[..<equals].split { $0 <= 0x20 }.last ?? []
            rest = rest[(equals + 1)...].drop { $0 <= 0x20 }
            let value: ArraySlice<UInt8>
            if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest[value.endIndex...].dropFirst()
            } else {
                value = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") }
                rest = rest[value.endIndex...]
            }
            attributes.append(Attribute(localName: localName(name), value: value))
        }
        return attributes
    }

    /// The name without the prefix of its namespace.
    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }
}
