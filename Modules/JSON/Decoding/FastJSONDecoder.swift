public import FoundationEssentials

/// A decoder of JSON several times as fast as Foundation's `JSONDecoder`, with the same results and the same errors.
///
/// AirframeSerialization uses it wherever it is given a `JSONDecoder`. Rare input (documents in UTF-16, numbers beyond
/// 19 digits, lone surrogates) and every failure goes to a `JSONDecoder` with the same strategies, whose value or error
/// is the result. For that reason a type's `init(from:)` may run twice.
public struct FastJSONDecoder: Sendable {
    /// The strategy for dates.
    public var dateDecodingStrategy = JSONDecoder.DateDecodingStrategy.deferredToDate
    /// The strategy for data.
    public var dataDecodingStrategy = JSONDecoder.DataDecodingStrategy.base64
    /// The strategy for infinities and NaN.
    public var nonConformingFloatDecodingStrategy = JSONDecoder.NonConformingFloatDecodingStrategy.throw
    /// The strategy for keys. Documents with a custom strategy are left to `JSONDecoder`.
    public var keyDecodingStrategy = JSONDecoder.KeyDecodingStrategy.useDefaultKeys
    /// The values that decoded types can read from their decoder.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with `JSONDecoder`'s defaults.
    public init() {}

    /// Creates a decoder with the strategies of `decoder`; `nil` if it has settings that only Foundation's decoder
    /// supports, or is of a subclass, which may override anything.
    public init?(_ decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else {
            return nil
        }
        dateDecodingStrategy = decoder.dateDecodingStrategy
        dataDecodingStrategy = decoder.dataDecodingStrategy
        nonConformingFloatDecodingStrategy = decoder.nonConformingFloatDecodingStrategy
        keyDecodingStrategy = decoder.keyDecodingStrategy
        userInfo = decoder.userInfo
    }

    /// Decodes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - data: The JSON.
    /// - Throws: The `DecodingError` that `JSONDecoder` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decodePlainly(type, from: data) ?? makeJSONDecoder().decode(type, from: data)
    }

    /// Decodes a value, or returns `nil` for a document that is left to `JSONDecoder`.
    package func decodePlainly<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        guard let document = JSONDocument(data, options: self) else { return nil }
        defer { document.close() }
        // An error is dropped here: Foundation's own follows.
        guard let value = try? document.decode(type, at: 0) else { return nil }
        return document.hasGivenUp ? nil : value
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
