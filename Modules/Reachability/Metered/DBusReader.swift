/// Reads values from the bytes of a D-Bus message (D-Bus Specification, "Marshaling (Wire Format)").
///
/// Every length is checked against the bytes, and depth and number of values are bounded: every peer on the bus can
/// send messages.
struct DBusReader {
    private(set) var offset: Int
    private let isBigEndian: Bool
    /// The number of values that are still allowed.
    private var allowance = 65_536

    /// The specification allows 32 arrays within 32 structures; the answers read here have at most four.
    private static let deepest = 16

    init(at offset: Int, isBigEndian: Bool) {
        self.offset = offset
        self.isBigEndian = isBigEndian
    }

    /// The values of all types in `signature`.
    mutating func values(_ bytes: RawSpan, _ signature: String) throws(MalformedDBus) -> [DBusValue] {
        let signature = Array(signature.utf8)
        var values: [DBusValue] = []
        var index = 0
        while index < signature.count { values.append(try value(bytes, signature, &index, depth: 0)) }
        return values
    }

    /// Reads the value of the type that begins at `index`, and moves `index` behind the type.
    private mutating func value(
        _ bytes: RawSpan,
        _ signature: [UInt8],
        _ index: inout Int,
        depth: Int
    ) throws(MalformedDBus) -> DBusValue {
        guard depth < Self.deepest else { throw malformed("values nested too deeply") }
        guard allowance > 0 else { throw malformed("too many values") }
        guard signature.indices.contains(index) else { throw malformed("a signature that ends early") }
        allowance -= 1
        let type = signature[index]
        index += 1
        switch type {
        case UInt8(ascii: "y"): return .byte(try number(bytes, UInt8.self))
        case UInt8(ascii: "b"):
            let value = try number(bytes, UInt32.self)
            guard value <= 1 else { throw malformed("a boolean of \(value)") }
            return .bool(value == 1)
        case UInt8(ascii: "n"): return .integer(Int64(try number(bytes, Int16.self)))
        case UInt8(ascii: "q"): return .unsigned(UInt64(try number(bytes, UInt16.self)))
        case UInt8(ascii: "i"): return .integer(Int64(try number(bytes, Int32.self)))
        case UInt8(ascii: "u"), UInt8(ascii: "h"): return .unsigned(UInt64(try number(bytes, UInt32.self)))
        case UInt8(ascii: "x"): return .integer(try number(bytes, Int64.self))
        case UInt8(ascii: "t"): return .unsigned(try number(bytes, UInt64.self))
        case UInt8(ascii: "d"): return .double(try number(bytes, UInt64.self))
        case UInt8(ascii: "s"), UInt8(ascii: "o"): return .text(try text(bytes, Int(try number(bytes, UInt32.self))))
        case UInt8(ascii: "g"): return .text(try text(bytes, Int(try number(bytes, UInt8.self))))
        case UInt8(ascii: "v"):
            let inner = Array(try text(bytes, Int(try number(bytes, UInt8.self))).utf8)
            var innerIndex = 0
            let value = try value(bytes, inner, &innerIndex, depth: depth + 1)
            guard innerIndex == inner.count else { throw malformed("a variant of several types") }
            return .variant(value)
        case UInt8(ascii: "a"): return try array(bytes, signature, &index, depth: depth + 1)
        case UInt8(ascii: "("): return try structure(bytes, signature, &index, UInt8(ascii: ")"), depth: depth + 1)
        case UInt8(ascii: "{"): return try structure(bytes, signature, &index, UInt8(ascii: "}"), depth: depth + 1)
        default: throw malformed("the unknown type \(type)")
        }
    }

    private mutating func array(
        _ bytes: RawSpan,
        _ signature: [UInt8],
        _ index: inout Int,
        depth: Int
    ) throws(MalformedDBus) -> DBusValue {
        let length = Int(try number(bytes, UInt32.self))
        let first = index
        guard let behind = Self.endOfType(signature, from: first, depth: depth) else {
            throw malformed("an array of no type")
        }
        try align(bytes, to: Self.alignment(of: signature[first]))
        guard length <= bytes.byteCount - offset else { throw malformed("an array of \(length) bytes") }
        let end = offset + length
        var elements: [DBusValue] = []
        while offset < end {
            var elementIndex = first
            elements.append(try value(bytes, signature, &elementIndex, depth: depth))
        }
        guard offset == end else { throw malformed("an array whose last element lies across its end") }
        index = behind
        return .array(elements)
    }

    private mutating func structure(
        _ bytes: RawSpan,
        _ signature: [UInt8],
        _ index: inout Int,
        _ close: UInt8,
        depth: Int
    ) throws(MalformedDBus) -> DBusValue {
        try align(bytes, to: 8)
        var fields: [DBusValue] = []
        while signature.indices.contains(index), signature[index] != close {
            fields.append(try value(bytes, signature, &index, depth: depth))
        }
        guard signature.indices.contains(index), !fields.isEmpty else { throw malformed("a structure without an end") }
        index += 1
        return .structure(fields)
    }

    /// The end of the type that begins at `start`; `nil` for a type that is cut off.
    private static func endOfType(_ signature: [UInt8], from start: Int, depth: Int) -> Int? {
        guard signature.indices.contains(start), depth < deepest else { return nil }
        switch signature[start] {
        case UInt8(ascii: "a"): return endOfType(signature, from: start + 1, depth: depth + 1)
        case UInt8(ascii: "("), UInt8(ascii: "{"):
            let close = signature[start] == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
            var index = start + 1
            while signature.indices.contains(index), signature[index] != close {
                guard let next = endOfType(signature, from: index, depth: depth + 1) else { return nil }
                index = next
            }
            return signature.indices.contains(index) ? index + 1 : nil
        case UInt8(ascii: ")"), UInt8(ascii: "}"): return nil
        default: return start + 1
        }
    }

    private static func alignment(of type: UInt8) -> Int {
        switch type {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }

    private mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: RawSpan,
        _ type: Number.Type
    ) throws(MalformedDBus) -> Number {
        try align(bytes, to: MemoryLayout<Number>.size)
        guard let value = bytes.value(at: offset, as: type) else { throw malformed("a number that is cut off") }
        offset += MemoryLayout<Number>.size
        return isBigEndian ? Number(bigEndian: value) : Number(littleEndian: value)
    }

    private mutating func text(_ bytes: RawSpan, _ length: Int) throws(MalformedDBus) -> String {
        // A NUL follows, which the length does not count.
        guard length < bytes.byteCount - offset, bytes.value(at: offset + length, as: UInt8.self) == 0 else {
            throw malformed("a string of \(length) bytes")
        }
        let text = bytes.extracting(offset..<offset + length).withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        guard let text else { throw malformed("a string that is not UTF-8") }
        offset += length + 1
        return text
    }

    /// Moves to the next multiple of `size`, from the message's start.
    private mutating func align(_ bytes: RawSpan, to size: Int) throws(MalformedDBus) {
        let aligned = (offset + size - 1) / size * size
        guard aligned <= bytes.byteCount else { throw malformed("padding that is cut off") }
        offset = aligned
    }

    private func malformed(_ what: String) -> MalformedDBus { MalformedDBus(what: what, offset: offset) }
}
