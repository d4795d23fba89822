/// Reads values in DER (ITU-T X.690 §10): definite lengths, in the fewest bytes.
///
/// The input is untrusted. A reader never reads beyond its bytes, and throws for anything that is not DER.
package struct DERReader {
    /// One value: its identifier octet and its bytes.
    package struct Value {
        package let tag: UInt8
        /// The content octets.
        package let contents: ArraySlice<UInt8>
        /// All octets, with identifier and length.
        package let encoded: ArraySlice<UInt8>

        /// A reader of the content octets.
        package var reader: DERReader { DERReader(contents) }
    }

    private let whole: ArraySlice<UInt8>
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        whole = bytes
        rest = bytes
    }

    package var isAtEnd: Bool { rest.isEmpty }

    /// The identifier octet of the next value.
    package var nextTag: UInt8? { rest.first }

    /// The next value.
    package mutating func next() throws(DERError) -> Value {
        let start = rest.startIndex
        guard let tag = rest.popFirst() else { throw DERError("a value is missing") }
        // Numbers above 30 take more octets; X.509 has none.
        guard tag & 0x1F != 0x1F else { throw DERError("an identifier is too long") }
        let count = try length()
        guard count <= rest.count else { throw DERError("a value is cut off") }
        let end = rest.index(rest.startIndex, offsetBy: count)
        let contents = rest[rest.startIndex..<end]
        // A slice shares the indices of its base, so `encoded` can begin before the consumed octets.
        let encoded = whole[start..<end]
        rest = rest[end...]
        return Value(tag: tag, contents: contents, encoded: encoded)
    }

    /// The next value, which must have this identifier octet.
    package mutating func next(_ tag: UInt8) throws(DERError) -> Value {
        let value = try next()
        guard value.tag == tag else { throw DERError("a value has the identifier \(value.tag), and not \(tag)") }
        return value
    }

    /// The next value if it has this identifier octet.
    package mutating func nextIf(_ tag: UInt8) throws(DERError) -> Value? { nextTag == tag ? try next() : nil }

    /// Throws unless all bytes are consumed.
    package func finish() throws(DERError) {
        guard rest.isEmpty else { throw DERError("there are \(rest.count) bytes too many") }
    }

    private mutating func length() throws(DERError) -> Int {
        guard let first = rest.popFirst() else { throw DERError("a length is missing") }
        guard first & 0x80 != 0 else { return Int(first) }
        let octets = Int(first & 0x7F)
        guard (1...4).contains(octets), octets <= rest.count else { throw DERError("a length is out of bounds") }
        var count = 0
        for _ in 0..<octets { count = count << 8 | Int(rest.popFirst() ?? 0) }
        guard count >= 0x80, octets == 1 || count >> ((octets - 1) * 8) > 0 else {
            throw DERError("a length is longer than it needs to be")
        }
        return count
    }
}

/// The error of bytes that are not the expected DER.
package struct DERError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Identifier octets.
package enum DERTag {
    package static let boolean: UInt8 = 0x01
    package static let integer: UInt8 = 0x02
    package static let bitString: UInt8 = 0x03
    package static let octetString: UInt8 = 0x04
    package static let objectIdentifier: UInt8 = 0x06
    package static let utcTime: UInt8 = 0x17
    package static let generalizedTime: UInt8 = 0x18
    package static let sequence: UInt8 = 0x30
    package static let set: UInt8 = 0x31

    /// Returns a context-specific tag of a primitive value.
    package static func context(_ number: UInt8) -> UInt8 { 0x80 | number }
    /// Returns a context-specific tag of a constructed value.
    package static func constructed(_ number: UInt8) -> UInt8 { 0xA0 | number }
}
