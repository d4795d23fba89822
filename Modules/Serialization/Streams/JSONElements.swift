public import Foundation

/// A parser that decodes the JSON texts of a stream. One that cannot be decoded is a failed element; the stream
/// continues.
public struct JSONElements<Framing: JSONFraming, Value: Decodable & Sendable>: ByteStreamParser {
    /// A value, the decoder's error, or a ``StreamParsingError`` for a truncated text.
    public typealias Element = Result<Value, any Error>

    private var framing: Framing
    private let decoder: any DataDecoder

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - framing: The parser that finds the texts.
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    public init(_ framing: Framing, of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.framing = framing
        self.decoder = decoder
    }

    /// Parses the next bytes.
    ///
    /// - Throws: The errors of the framing. The errors of the decoder are elements.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        var texts: [Framing.Element] = []
        defer { decode(texts, into: &elements) }
        try framing.push(data, into: &texts)
    }

    /// Parses the end of the stream.
    ///
    /// - Throws: The errors of the framing. The errors of the decoder are elements.
    public mutating func finish(into elements: inout [Element]) throws(StreamParsingError) {
        var texts: [Framing.Element] = []
        defer { decode(texts, into: &elements) }
        try framing.finish(into: &texts)
    }

    private func decode(_ texts: [Framing.Element], into elements: inout [Element]) {
        for text in texts {
            elements.append(Result { try decoder.decodeContent(Value.self, from: try text.get()) })
        }
    }
}

/// A parser of the values of newline-delimited JSON.
public typealias NDJSONParser<Value: Decodable & Sendable> = JSONElements<NDJSONFraming, Value>

/// A parser of the values of a JSON text sequence (RFC 7464).
public typealias JSONSequenceParser<Value: Decodable & Sendable> = JSONElements<JSONSequenceFraming, Value>

/// A parser of the values of one JSON array.
public typealias JSONArrayParser<Value: Decodable & Sendable> = JSONElements<JSONArrayFraming, Value>

extension JSONElements where Framing == NDJSONFraming {
    /// Creates a parser of newline-delimited JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(NDJSONFraming(), of: type, decoder: decoder)
    }
}

extension JSONElements where Framing == JSONSequenceFraming {
    /// Creates a parser of JSON text sequences.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(JSONSequenceFraming(), of: type, decoder: decoder)
    }
}

extension JSONElements where Framing == JSONArrayFraming {
    /// Creates a parser of the elements of a JSON array.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(JSONArrayFraming(), of: type, decoder: decoder)
    }
}
