internal import FoundationEssentials

extension HAR {
    /// Writes JSON, with the members of an object in the given order.
    struct TextWriter {
        private(set) var bytes: [UInt8] = []
        /// Whether the current object has no members yet.
        private var isEmpty = true

        mutating func object(_ body: (inout TextWriter) -> Void) {
            let wasEmpty = isEmpty
            isEmpty = true
            bytes.append(UInt8(ascii: "{"))
            body(&self)
            bytes.append(UInt8(ascii: "}"))
            isEmpty = wasEmpty
        }

        mutating func raw(_ text: String) { bytes += text.utf8 }

        mutating func text(_ text: String) {
            bytes.append(UInt8(ascii: "\""))
            var text = text
            text.withUTF8 { characters in
                var start = 0
                for index in characters.indices where Self.needsEscape(characters[index]) {
                    bytes += characters[start..<index]
                    escape(characters[index])
                    start = index + 1
                }
                bytes += characters[start...]
            }
            bytes.append(UInt8(ascii: "\""))
        }

        mutating func value(_ value: Value) {
            switch value {
            case .null: raw("null")
            case .bool(let flag): raw(flag ? "true" : "false")
            case .number(let number): raw(Self.text(of: number))
            case .string(let string): text(string)
            case .array(let elements): array(elements) { $0.value($1) }
            case .object(let members): object { $0.values(members) }
            }
        }

        mutating func array<Element>(_ elements: [Element], _ write: (inout TextWriter, Element) -> Void) {
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(&self, element)
            }
            bytes.append(UInt8(ascii: "]"))
        }

        /// Writes a number; 0 for numbers that JSON does not have.
        static func text(of number: Double) -> String {
            guard number.isFinite else { return "0" }
            if abs(number) < 9e15, let integer = Int64(exactly: number) { return "\(integer)" }
            return "\(number)"
        }

        private static func needsEscape(_ byte: UInt8) -> Bool {
            byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        }

        private mutating func escape(_ byte: UInt8) {
            switch byte {
            case 0x0A: raw(#"\n"#)
            case 0x0D: raw(#"\r"#)
            case 0x09: raw(#"\t"#)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            default: raw(#"\u00"# + (byte < 0x10 ? "0" : "") + String(byte, radix: 16))
            }
        }
    }
}

// MARK: Members

extension HAR.TextWriter {
    private mutating func name(_ name: String) {
        if !isEmpty { raw(",") }
        isEmpty = false
        text(name)
        raw(":")
    }

    mutating func text(_ name: String, _ text: String?) {
        guard let text else { return }
        self.name(name)
        self.text(text)
    }

    mutating func flag(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        self.name(name)
        raw(flag ? "true" : "false")
    }

    mutating func integer(_ name: String, _ integer: Int64) {
        self.name(name)
        raw("\(integer)")
    }

    mutating func number(_ name: String, _ number: Double) {
        self.name(name)
        raw(Self.text(of: number))
    }

    mutating func node(_ name: String, _ node: (some HAR.Node)?) {
        guard let node else { return }
        self.name(name)
        object { node.write(to: &$0) }
    }

    mutating func nodes(_ name: String, _ nodes: [some HAR.Node]) {
        self.name(name)
        array(nodes) { writer, node in writer.object { node.write(to: &$0) } }
    }

    /// Writes members sorted by name, so that equal values make equal text.
    mutating func values(_ values: [String: HAR.Value]) {
        guard !values.isEmpty else { return }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            self.name(name)
            self.value(value)
        }
    }
}
