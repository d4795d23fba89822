public import Foundation

/// The decoded JSON texts of a stream. A text that cannot be decoded is a failed element, and the stream goes on.
public struct JSONElements<Framing: JSONFraming, Value: Decodable & Sendable>: ByteStreamParser {
    /// A value, or why there is none: the decoder's error, or a ``StreamParsingError`` for a text that was cut short.
    public typealias Element = Result<Value, any Error>

    private var framing: Framing
    private let decoder: any DataDecoder

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - framing: Finds the texts.
    ///   - type: The type of the values.
    ///   - decoder: Decodes them.
    public init(_ framing: Framing, of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.framing = framing
        self.decoder = decoder
    }

    /// Takes the next bytes.
    public mutating func push(_ data: Data, into elements: inout [Element]) throws(StreamParsingError) {
        var texts: [Framing.Element] = []
        defer { decode(texts, into: &elements) }
        try framing.push(data, into: &texts)
    }

    /// Takes the end of the stream.
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

/// The values of newline-delimited JSON.
public typealias NDJSONParser<Value: Decodable & Sendable> = JSONElements<NDJSONFraming, Value>

/// The values of a JSON text sequence (RFC 7464).
public typealias JSONSequenceParser<Value: Decodable & Sendable> = JSONElements<JSONSequenceFraming, Value>

/// The values of one JSON array.
public typealias JSONArrayParser<Value: Decodable & Sendable> = JSONElements<JSONArrayFraming, Value>

extension JSONElements where Framing == NDJSONFraming {
    /// Makes a parser of newline-delimited JSON.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: Decodes them.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(NDJSONFraming(), of: type, decoder: decoder)
    }
}

extension JSONElements where Framing == JSONSequenceFraming {
    /// Makes a parser of JSON text sequences.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: Decodes them.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(JSONSequenceFraming(), of: type, decoder: decoder)
    }
}

extension JSONElements where Framing == JSONArrayFraming {
    /// Makes a parser of the elements of a JSON array.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: Decodes them.
    public init(of type: Value.Type = Value.self, decoder: any DataDecoder = JSONDecoder()) {
        self.init(JSONArrayFraming(), of: type, decoder: decoder)
    }
}
