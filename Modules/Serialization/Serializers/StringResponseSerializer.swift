public import AirframeCore
public import Foundation

/// A serializer that returns the response's data as text.
///
/// The encoding is, in this order: the one that was given, the response's `charset` (by the labels of the WHATWG
/// Encoding Standard), that of a byte order mark, or ISO 8859-1, in which every byte is a character.
public final class StringResponseSerializer: ResponseSerializer {
    /// The preprocessor that transforms the data before serialization.
    public let dataPreprocessor: any DataPreprocessor
    /// The text encoding, which takes precedence over the response's.
    public let encoding: String.Encoding?
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods of requests whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - encoding: The text encoding; `nil` for the one that the response declares.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public init(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.encoding = encoding
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// Returns the content as a string. It is empty only if ``emptyResponseCodes`` or ``emptyRequestMethods`` allow it.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - data: The content; `nil` for none.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` for other empty content and for bytes that
    ///   are invalid in the encoding; the error of ``dataPreprocessor``.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> String {
        guard let data = try content(of: data, request: request, response: response, error: error) else { return "" }
        guard let encoding else { return try TextDecoding.text(of: data, in: response) }
        return try TextDecoding.text(of: data, in: encoding)
    }
}

extension ResponseSerializer where Self == StringResponseSerializer {
    /// The response's text.
    public static var string: StringResponseSerializer { StringResponseSerializer() }

    /// The response's text.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - encoding: The text encoding; `nil` for the one that the response declares.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public static func string(
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods
    ) -> StringResponseSerializer {
        StringResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            encoding: encoding,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
