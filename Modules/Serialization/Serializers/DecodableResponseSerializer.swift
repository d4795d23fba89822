public import AirframeCore
public import Foundation

/// A serializer that decodes a value from the response's data.
public final class DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// The preprocessor that transforms the data before serialization.
    public let dataPreprocessor: any DataPreprocessor
    /// The decoder of the value.
    public let decoder: any DataDecoder
    /// The status codes of responses that may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods of requests whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Creates a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - decoder: The decoder of the value.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public init(
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer.defaultEmptyRequestMethods
    ) {
        self.dataPreprocessor = dataPreprocessor
        self.decoder = decoder
        self.emptyResponseCodes = emptyResponseCodes
        self.emptyRequestMethods = emptyRequestMethods
    }

    /// Returns the decoded value. For an empty response that ``emptyResponseCodes`` or ``emptyRequestMethods`` allow,
    /// it is the empty value of a type that conforms to ``EmptyResponse``.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - data: The content; `nil` for none.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` for other empty content, and, with the error
    ///   of ``decoder``, for content that cannot be decoded; the error of ``dataPreprocessor``.
    public func serialize(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        error: (any Error)?
    ) throws -> T {
        guard let data = try content(of: data, request: request, response: response, error: error) else {
            guard let type = T.self as? any EmptyResponse.Type, let value = type.emptyValue() as? T else {
                throw AFError.responseSerializationFailed(reason: .invalidEmptyResponse(type: "\(T.self)"))
            }
            return value
        }
        do {
            return try decoder.decodeContent(T.self, from: data)
        } catch {
            throw AFError.responseSerializationFailed(reason: .decodingFailed(error: error))
        }
    }
}

extension ResponseSerializer {
    /// A serializer that decodes a value from the response's data.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - decoder: The decoder of the value.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    public static func decodable<T: Decodable & Sendable>(
        of type: T.Type,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<T>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<T>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<T>.defaultEmptyRequestMethods
    ) -> DecodableResponseSerializer<T> where Self == DecodableResponseSerializer<T> {
        DecodableResponseSerializer<T>(
            dataPreprocessor: dataPreprocessor,
            decoder: decoder,
            emptyResponseCodes: emptyResponseCodes,
            emptyRequestMethods: emptyRequestMethods
        )
    }
}
