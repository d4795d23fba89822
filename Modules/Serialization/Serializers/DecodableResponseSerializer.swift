public import AirframeCore
public import Foundation

/// A value decoded from the response's data.
public final class DecodableResponseSerializer<T: Decodable & Sendable>: ResponseSerializer {
    /// Changes the data.
    public let dataPreprocessor: any DataPreprocessor
    /// Decodes the value.
    public let decoder: any DataDecoder
    /// The status codes whose responses may be empty.
    public let emptyResponseCodes: Set<Int>
    /// The methods whose responses may be empty.
    public let emptyRequestMethods: Set<HTTPMethod>

    /// Makes a serializer.
    ///
    /// - Parameters:
    ///   - dataPreprocessor: Changes the data.
    ///   - decoder: Decodes the value.
    ///   - emptyResponseCodes: The status codes whose responses may be empty.
    ///   - emptyRequestMethods: The methods whose responses may be empty.
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

    /// The decoded value. An empty response that may be empty gives the type's empty value, if it has one.
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
    /// A value decoded from the response's data.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - dataPreprocessor: Changes the data.
    ///   - decoder: Decodes the value.
    ///   - emptyResponseCodes: The status codes whose responses may be empty.
    ///   - emptyRequestMethods: The methods whose responses may be empty.
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
