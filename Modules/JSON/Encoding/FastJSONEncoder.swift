public import FoundationEssentials

/// An encoder of JSON several times as fast as Foundation's `JSONEncoder`, with the same JSON and the same errors.
///
/// AirframeEncoding uses it wherever it is given a `JSONEncoder`. The encoder writes straight into the text. Values
/// that it cannot write in one pass (two members of one key, containers that are filled by turns), and every error,
/// send the whole value to a `JSONEncoder` with the same strategies, whose text or error is then the answer. A type's
/// `encode(to:)` may run twice for that reason.
///
/// The members of an object are in the order in which they were encoded, unless ``outputFormatting`` has `sortedKeys`.
/// The order of `JSONEncoder` differs from one dictionary to the next then.
public struct FastJSONEncoder: Sendable {
    /// The layout of the text. `prettyPrinted` is left to `JSONEncoder`.
    public var outputFormatting: JSONEncoder.OutputFormatting = []
    /// The form of dates.
    public var dateEncodingStrategy = JSONEncoder.DateEncodingStrategy.deferredToDate
    /// The form of data.
    public var dataEncodingStrategy = JSONEncoder.DataEncodingStrategy.base64
    /// The form of infinities and NaN.
    public var nonConformingFloatEncodingStrategy = JSONEncoder.NonConformingFloatEncodingStrategy.throw
    /// The form of keys. A custom conversion is left to `JSONEncoder`.
    public var keyEncodingStrategy = JSONEncoder.KeyEncodingStrategy.useDefaultKeys
    /// The values that encoded types can ask their encoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with `JSONEncoder`'s defaults.
    public init() {}

    /// Creates an encoder with the settings of `encoder`; `nil` if it is of a subclass, which may override anything.
    public init?(_ encoder: JSONEncoder) {
        guard type(of: encoder) == JSONEncoder.self else { return nil }
        outputFormatting = encoder.outputFormatting
        dateEncodingStrategy = encoder.dateEncodingStrategy
        dataEncodingStrategy = encoder.dataEncodingStrategy
        nonConformingFloatEncodingStrategy = encoder.nonConformingFloatEncodingStrategy
        keyEncodingStrategy = encoder.keyEncodingStrategy
        userInfo = encoder.userInfo
    }

    /// Encodes a value.
    ///
    /// - Parameter value: The value.
    /// - Returns: The JSON in UTF-8.
    /// - Throws: The `EncodingError` that `JSONEncoder` throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try encodePlainly(value) ?? makeJSONEncoder().encode(value)
    }

    /// Encodes a value, or returns `nil` for one that is left to `JSONEncoder`.
    package func encodePlainly<Value: Encodable>(_ value: Value) -> Data? {
        JSONWriter(self)?.text(of: value)
    }

    private func makeJSONEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = outputFormatting
        encoder.dateEncodingStrategy = dateEncodingStrategy
        encoder.dataEncodingStrategy = dataEncodingStrategy
        encoder.nonConformingFloatEncodingStrategy = nonConformingFloatEncodingStrategy
        encoder.keyEncodingStrategy = keyEncodingStrategy
        encoder.userInfo = userInfo
        return encoder
    }
}
