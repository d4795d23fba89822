public import FoundationEssentials

/// Decodes JSON some times as fast as Foundation's `JSONDecoder`, with the same results and the same errors.
///
/// AirframeSerialization uses it wherever it is given a `JSONDecoder`. It reads plain JSON itself. What is rare (documents in UTF-16, numbers beyond 19 digits, lone surrogates) and
/// everything that fails is given to a `JSONDecoder` with the same strategies, whose value or error is then the answer. A
/// type's `init(from:)` may run twice for that reason.
public struct FastJSONDecoder: Sendable {
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

    /// Makes a decoder with the strategies of `decoder`; `nil` if it has settings that only Foundation's decoder honours,
    /// or is of a subclass, which may do anything.
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

    /// Decodes a value, or returns `nil` for what is left to `JSONDecoder`.
    package func decodePlainly<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        // Foundation's own words follow for what fails.
        JSONDocument(data, options: self).flatMap { try? $0.decode(type, at: 0) }
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
