/// One element of `Sec-WebSocket-Extensions`: a name and its parameters (RFC 6455 §9.1).
package struct ExtensionOffer: Sendable, Hashable {
    /// A parameter; its value is `nil` if the field has none.
    package struct Parameter: Sendable, Hashable {
        package let name: String
        package let value: String?

        package init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    package let name: String
    package var parameters: [Parameter]

    package init(_ name: String, _ parameters: [Parameter] = []) {
        self.name = name
        self.parameters = parameters
    }

    /// Parses a field's value; `nil` if it is malformed.
    package static func list(_ text: String) -> [ExtensionOffer]? {
        var scanner = ExtensionScanner(text)
        return scanner.list()
    }

    /// The element in the form of the field.
    package var text: String {
        parameters.reduce(name) { text, parameter in
            text + "; " + parameter.name + (parameter.value.map { "=" + $0 } ?? "")
        }
    }
}

/// A parser of the grammar of `Sec-WebSocket-Extensions`.
private struct ExtensionScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func list() -> [ExtensionOffer]? {
        var offers: [ExtensionOffer] = []
        repeat {
            // Empty elements are ignored (RFC 9110 §5.6.1.2).
            skipSpace()
            guard position < bytes.count, bytes[position] != UInt8(ascii: ",") else { continue }
            guard let offer = offer() else { return nil }
            offers.append(offer)
        } while skip(",")
        return position == bytes.count ? offers : nil
    }

    private mutating func offer() -> ExtensionOffer? {
        guard let name = token() else { return nil }
        var offer = ExtensionOffer(name)
        while skip(";") {
            guard let name = token() else { return nil }
            guard skip("=") else {
                offer.parameters.append(.init(name))
                continue
            }
            skipSpace()
            let isQuoted = position < bytes.count && bytes[position] == UInt8(ascii: "\"")
            guard let value = isQuoted ? quoted() : token() else { return nil }
            offer.parameters.append(.init(name, value))
        }
        return offer
    }

    private mutating func token() -> String? {
        skipSpace()
        let start = position
        while position < bytes.count, Self.isTokenByte(bytes[position]) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Parses a quoted string, whose content must be a token too (RFC 6455 §9.1).
    private mutating func quoted() -> String? {
        position += 1
        var value: [UInt8] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") { position += 1 }
            guard position < bytes.count, Self.isTokenByte(bytes[position]) else { return nil }
            value.append(bytes[position])
            position += 1
        }
        guard position < bytes.count, !value.isEmpty else { return nil }
        position += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
    }

    /// The characters of a token (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
