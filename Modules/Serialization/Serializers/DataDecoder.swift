public import AirframeJSON
public import Foundation

/// Decodes values from data: JSON, property lists, anything with a decoder.
///
/// Where Foundation's `JSONDecoder` is given, `FastJSONDecoder` does its work, with the same results and errors. A
/// subclass of `JSONDecoder`, JSON5 and `assumesTopLevelDictionary` are left to Foundation.
public protocol DataDecoder: Sendable {
    /// Decodes a value.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}

extension FastJSONDecoder: DataDecoder {}

extension DataDecoder {
    /// Decodes a value, by `FastJSONDecoder` if this is a `JSONDecoder` that it can stand in for.
    package func decodeContent<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let decoder = self as? JSONDecoder, let value = FastJSONDecoder(decoder)?.decodePlainly(type, from: data) {
            return value
        }
        return try decode(type, from: data)
    }
}
