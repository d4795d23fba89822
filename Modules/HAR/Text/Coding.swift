internal import FoundationEssentials

// Conformances of the format's values to `Codable`, by way of the archive's JSON.

extension HAR.Value: Codable {
    /// Decodes any JSON value.
    ///
    /// - Throws: The errors of `decoder`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([HAR.Value].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: HAR.Value].self))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: The errors of `encoder`, such as `EncodingError` for a number that is not finite.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value):
            if let integer = Int64(exactly: value) {
                try container.encode(integer)
            } else {
                try container.encode(value)
            }
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension HAR.Node {
    static func read(_ decoder: any Decoder) throws -> Self {
        var fields = try HAR.Fields(HAR.Value(from: decoder))
        return try Self(&fields)
    }

    func encodeNode(to encoder: any Encoder) throws {
        var writer = HAR.TextWriter()
        writer.object { write(to: &$0) }
        try HAR.Parser.parse(Data(writer.bytes)).encode(to: encoder)
    }
}

extension HAR.Log {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Creator {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Page {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.PageTimings {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Entry {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Request {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Response {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Header {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Cookie {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.PostData {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Parameter {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Content {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Cache {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.CacheState {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}

extension HAR.Timings {
    /// Decodes the object; fails with ``HAR/ReadingError``.
    public init(from decoder: any Decoder) throws { self = try .read(decoder) }
    /// Encodes the object.
    public func encode(to encoder: any Encoder) throws { try encodeNode(to: encoder) }
}
