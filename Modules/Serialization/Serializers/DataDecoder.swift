public import AirframeJSON
public import Foundation

/// A decoder of values from data: JSON, property lists or any other format.
///
/// Serializers that are given Foundation's `JSONDecoder` decode with `FastJSONDecoder`, which has the same results and
/// errors. Foundation itself decodes for subclasses of `JSONDecoder`, JSON5 and `assumesTopLevelDictionary`.
public protocol DataDecoder: Sendable {
    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The content of the response.
    /// - Throws: Any error, such as `DecodingError`. It is the underlying error of the request's.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}

extension FastJSONDecoder: DataDecoder {}

extension DataDecoder {
    /// Decodes a value, with `FastJSONDecoder` if it supports the settings of this `JSONDecoder`.
    package func decodeContent<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let decoder = self as? JSONDecoder, let value = FastJSONDecoder(decoder)?.decodePlainly(type, from: data) {
            return value
        }
        return try decode(type, from: data)
    }
}
