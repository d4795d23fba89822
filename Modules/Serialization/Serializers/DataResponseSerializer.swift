public import AirframeCore
public import Foundation

/// A serializer that returns the response's data unchanged.
public final class DataResponseSerializer: ResponseSerializer {
    /// The preprocessor that transforms the data before serialization.
    public let dataPreprocessor: any DataPreprocessor
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods of requests whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public init(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// Returns the data. It is empty only if ``emptyResponseCodes`` or ``emptyRequestMethods`` allow it.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - data: The content; `nil` for none.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` for other empty content; the error of
    ///   ``dataPreprocessor``.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> Data {
        try content(of: data, request: request, response: response, error: error) ?? Data()
    }
}

extension ResponseSerializer where Self == DataResponseSerializer {
    /// The response's data.
    public static var data: DataResponseSerializer { DataResponseSerializer() }

    /// The response's data.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public static func data(
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods
    ) -> DataResponseSerializer {
        DataResponseSerializer(
            dataPreprocessor: dataPreprocessor,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
