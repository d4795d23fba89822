public import Foundation

/// Turns each piece of a stream into a value.
public protocol DataStreamSerializer: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Makes a value of a piece, as long as it happened to come.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// Decodes each piece of a stream as a value of its own.
///
/// Pieces are what the network makes of a stream. Where values are divided by lines or otherwise, there are parsers for
/// that: ``NDJSONParser``, ``JSONSequenceParser``, ``ServerSentEventParser``.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// Decodes the value.
    public let decoder: any DataDecoder
    /// Changes the data.
    public let dataPreprocessor: any DataPreprocessor

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - decoder: Decodes the value.
    ///   - dataPreprocessor: Changes the data.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// The decoded value.
    public func serialize(_ data: Data) throws -> T {
        try decoder.decode(T.self, from: try dataPreprocessor.preprocess(data))
    }
}

/// Each piece of a stream as it is.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// The piece.
    public func serialize(_ data: Data) throws -> Data { data }
}

/// Each piece of a stream as text in UTF-8; bytes that are none become `U+FFFD`, and so does a character that two pieces
/// share.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// The text.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer {
    /// Decodes each piece of a stream as a value of its own.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: Decodes the value.
    ///   - dataPreprocessor: Changes the data.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> Self where Self == DecodableStreamSerializer<T> {
        DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// Each piece of a stream as it is.
    public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// Each piece of a stream as text in UTF-8.
    public static var string: StringStreamSerializer { StringStreamSerializer() }
}
