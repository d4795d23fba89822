internal import AirframeCore
public import Foundation

/// Turns a piece of a stream into a value.
public protocol DataStreamSerializer: Sendable {
    /// The type of the value.
    associatedtype SerializedObject: Sendable

    /// Makes the value.
    ///
    /// - Parameter data: A piece, as it came: where one ends and the next begins is up to the server and the network.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// Decodes a value from each piece of a stream.
public struct DecodableStreamSerializer<T: Decodable & Sendable>: DataStreamSerializer {
    /// Decodes the values.
    public let decoder: any DataDecoder
    /// Changes each piece before it is decoded.
    public let dataPreprocessor: any DataPreprocessor

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - decoder: Decodes the values.
    ///   - dataPreprocessor: Changes each piece before it is decoded.
    public init(
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) {
        self.decoder = decoder
        self.dataPreprocessor = dataPreprocessor
    }

    /// Decodes a value.
    ///
    /// - Throws: ``AFError/ResponseSerializationFailureReason/decodingFailed(error:)``.
    public func serialize(_ data: Data) throws -> T {
        let processed = try dataPreprocessor.preprocess(data)
        do {
            return try decoder.decodeContent(T.self, from: processed)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

/// Leaves each piece of a stream as it is.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// Returns `data`.
    public func serialize(_ data: Data) throws -> Data { data }
}

/// Takes each piece of a stream for UTF-8.
///
/// It knows of one piece only: a character that two pieces share comes out as replacement characters.
/// `responseStreamString` and `streamingStrings` put such a character together.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Makes a serializer.
    public init() {}

    /// The text of `data`.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer {
    /// Decodes a value from each piece.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - decoder: Decodes the values.
    ///   - dataPreprocessor: Changes each piece before it is decoded.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        decoder: any DataDecoder = JSONDecoder(),
        dataPreprocessor: any DataPreprocessor = PassthroughPreprocessor()
    ) -> Self where Self == DecodableStreamSerializer<T> {
        DecodableStreamSerializer(decoder: decoder, dataPreprocessor: dataPreprocessor)
    }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// Leaves each piece as it is.
    public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// Takes each piece for UTF-8.
    public static var string: StringStreamSerializer { StringStreamSerializer() }
}
