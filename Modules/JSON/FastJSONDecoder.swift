public import AirframeSerialization
public import Foundation

/// Decodes JSON some times as fast as Foundation's `JSONDecoder`, with the same results and the same errors.
///
/// ```swift
/// let users = try await AF.request(url).serializingDecodable([User].self, decoder: FastJSONDecoder()).value
/// ```
///
/// It reads plain JSON itself. What is rare (documents in UTF-16, numbers beyond 19 digits, lone surrogates) and
/// everything that fails is given to a `JSONDecoder` with the same strategies, whose value or error is then the answer. A
/// type's `init(from:)` may run twice for that reason.
public struct FastJSONDecoder: DataDecoder {
    /// How dates are read.
    public var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
    /// How data is read.
    public var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
    /// How infinities and NaN are read.
    public var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    /// How keys are read.
    public var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    /// What decoded types can ask their decoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder with `JSONDecoder`'s defaults.
    public init() {}

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The JSON.
    /// - Throws: The `DecodingError` that `JSONDecoder` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        if let document = JSONDocument(data, options: self) {
            do {
                return try document.decode(type, at: 0)
            } catch {
                // Foundation's own words for it follow.
            }
        }
        return try makeJSONDecoder().decode(type, from: data)
    }

    private func makeJSONDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dateDecodingStrategy
        decoder.dataDecodingStrategy = dataDecodingStrategy
        decoder.nonConformingFloatDecodingStrategy = nonConformingFloatDecodingStrategy
        decoder.keyDecodingStrategy = keyDecodingStrategy
        decoder.userInfo = userInfo
        return decoder
    }
}
