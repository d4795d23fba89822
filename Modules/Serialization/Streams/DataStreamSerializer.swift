internal import AirframeCore
public import Foundation

/// A serializer of the chunks of a stream.
public protocol DataStreamSerializer: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Returns the value.
    ///
    /// - Parameter data: A chunk. The server and the network determine where chunks begin and end.
    /// - Throws: Any error. The handler of the stream receives it in place of the value.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// A serializer that decodes a value from each chunk of a stream.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// The decoder of the values.
    public let decoder: any DataDecoder
    /// The preprocessor that transforms each chunk before it is decoded.
    public let dataPreprocessor: any DataPreprocessor

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the values.
    ///   - dataPreprocessor: The preprocessor that transforms each chunk before it is decoded.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// Decodes a value.
    ///
    /// - Throws: ``AFError/ResponseSerializationFailureReason/decodingFailed(error:)`` in an ``AFError``; the error of
    ///   ``dataPreprocessor``.
    public func serialize(_ data: Data) throws -> T {
        let processed = try dataPreprocessor.preprocess(data)
        do {
            return try decoder.decodeContent(T.self, from: processed)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

/// A serializer that returns each chunk of a stream unchanged.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns `data`. Throws no error.
    public func serialize(_ data: Data) throws -> Data { data }
}

/// A serializer that decodes each chunk of a stream as UTF-8.
///
/// Chunks are decoded one by one: a character that is split between two chunks becomes replacement characters.
/// `responseStreamString` and `streamingStrings` reassemble such characters.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the text of `data`. Invalid bytes become `U+FFFD`. Throws no error.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer {
    /// A serializer that decodes a value from each chunk.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: The decoder of the values.
    ///   - dataPreprocessor: The preprocessor that transforms each chunk before it is decoded.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> Self where Self == DecodableStreamSerializer<T> {
        DecodableStreamSerializer(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// A serializer that returns each chunk unchanged.
    public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// A serializer that decodes each chunk as UTF-8.
    public static var string: StringStreamSerializer { StringStreamSerializer() }
}
