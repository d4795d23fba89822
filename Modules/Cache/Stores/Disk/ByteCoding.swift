internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Writes numbers and strings in sequence.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func flag(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    mutating func text(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func optional(_ text: String?) {
        flag(text != nil)
        if let text { self.text(text) }
    }

    mutating func data(_ data: Data) {
        number(UInt32(data.count))
        bytes.append(contentsOf: data)
    }

    mutating func fields(_ fields: HTTPFields) {
        number(UInt32(fields.count))
        for field in fields {
            text(field.name.rawName)
            // As bytes: a field's value is not always UTF-8.
            data(field.withUnsafeBytesOfValue { Data($0) })
        }
    }
}

/// Reads the output of a ``ByteWriter``. Each function returns `nil` if the bytes end early or are malformed.
struct ByteReader {
    private let bytes: Data
    // Instead of a slice for each value, which copies the reference to the bytes: a disk hit reads a hundred values.
    private var position = 0

    init(_ data: Data) { bytes = data }

    /// Reads the next `count` bytes.
    private mutating func read<Value>(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        let start = position
        position += count
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
    }

    mutating func take(_ count: Int) -> Data? { read(count) { Data($0) } }

    mutating func number<Number: FixedWidthInteger>() -> Number? {
        read(MemoryLayout<Number>.size) { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    mutating func flag() -> Bool? {
        guard let byte: UInt8 = number(), byte <= 1 else { return nil }
        return byte == 1
    }

    mutating func data() -> Data? {
        guard let count: UInt32 = number() else { return nil }
        return take(Int(count))
    }

    mutating func text() -> String? {
        guard let count: UInt32 = number() else { return nil }
        return read(Int(count)) { String(decoding: $0, as: UTF8.self) }
    }

    mutating func optional() -> String?? {
        guard let isThere = flag() else { return .none }
        guard isThere else { return .some(nil) }
        return text().map(Optional.some)
    }

    mutating func fields() -> HTTPFields? {
        guard let count: UInt32 = number(), count <= StoredFields.maximumCount else { return nil }
        var fields = HTTPFields()
        for _ in 0..<count {
            guard let name = text().flatMap({ HTTPField.Name($0) }), let value = data() else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    mutating func selecting() -> [String: String?]? {
        guard let count: UInt32 = number() else { return nil }
        var selecting: [String: String?] = [:]
        for _ in 0..<count {
            guard let name = text(), let value = optional() else { return nil }
            selecting[name] = .some(value)
        }
        return selecting
    }
}
