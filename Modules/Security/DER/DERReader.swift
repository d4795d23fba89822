/// Reads values in DER (ITU-T X.690 §10): definite lengths, in the fewest bytes.
///
/// Certificates come from strangers. A reader never looks beyond its bytes, and what is not DER ends it with an error.
struct DERReader {
    /// One value: its identifier octet and its bytes.
    struct Value {
        let tag: UInt8
        /// What is in it.
        let contents: ArraySlice<UInt8>
        /// With identifier and length.
        let encoded: ArraySlice<UInt8>

        /// A reader of what is in it.
        var reader: DERReader { DERReader(contents) }
    }

    private let whole: ArraySlice<UInt8>
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        whole = bytes
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The identifier octet of the next value.
    var nextTag: UInt8? { rest.first }

    /// The next value.
    mutating func next() throws(DERError) -> Value {
        let start = rest.startIndex
        guard let tag = rest.popFirst() else { throw DERError("a value is missing") }
        // Numbers above 30 take more octets; X.509 has none.
        guard tag & 0x1F != 0x1F else { throw DERError("an identifier is too long") }
        let count = try length()
        guard count <= rest.count else { throw DERError("a value is cut off") }
        let end = rest.index(rest.startIndex, offsetBy: count)
        let contents = rest[rest.startIndex..<end]
        // Indices of a slice are those of its whole, and `encoded` begins before the octets that were taken off.
        let encoded = whole[start..<end]
        rest = rest[end...]
        return Value(tag: tag, contents: contents, encoded: encoded)
    }

    /// The next value, which must have this identifier octet.
    mutating func next(_ tag: UInt8) throws(DERError) -> Value {
        let value = try next()
        guard value.tag == tag else { throw DERError("a value has the identifier \(value.tag), and not \(tag)") }
        return value
    }

    /// The next value if it has this identifier octet.
    mutating func nextIf(_ tag: UInt8) throws(DERError) -> Value? { nextTag == tag ? try next() : nil }

    /// Holds that nothing is left.
    func finish() throws(DERError) {
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

/// Why bytes are not the DER that they should be.
struct DERError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Identifier octets.
enum DERTag {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let utcTime: UInt8 = 0x17
    static let generalizedTime: UInt8 = 0x18
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31

    /// A tag of the context's own, for a plain value.
    static func context(_ number: UInt8) -> UInt8 { 0x80 | number }
    /// A tag of the context's own, for a value of values.
    static func constructed(_ number: UInt8) -> UInt8 { 0xA0 | number }
}
