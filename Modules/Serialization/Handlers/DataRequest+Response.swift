public import AirframeCore
public import Dispatch
public import Foundation

extension DataRequest {
    /// Calls `completionHandler` with the response's data, unserialized, once the request has finished.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDataResponse<Data?>) -> Void
    ) -> Self {
        appendRaw(.detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the value that a serializer makes of the response.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - responseSerializer: The serializer that makes the value.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func response<Serializer: DataResponseSerializerProtocol>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        append(responseSerializer, .detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the value that a serializer makes of the response.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - responseSerializer: The serializer that makes the value.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func response<Serializer: ResponseSerializer>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDataResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        append(responseSerializer, .detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the response's data.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func responseData(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DataResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = DataResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DataResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<Data>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: DataResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            completionHandler: completionHandler
        )
    }

    /// Calls `completionHandler` with the response's text.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - encoding: The text encoding; `nil` for the one that the response declares.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func responseString(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = StringResponseSerializer.defaultDataPreprocessor,
        encoding: String.Encoding? = nil,
        emptyResponseCodes: Set<Int> = StringResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = StringResponseSerializer.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<String>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: StringResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                encoding: encoding,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            completionHandler: completionHandler
        )
    }

    /// Calls `completionHandler` with a value decoded from the response.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - queue: The queue on which it is called.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - decoder: The decoder of the value.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = DecodableResponseSerializer<Value>.defaultDataPreprocessor,
        decoder: any DataDecoder = JSONDecoder(),
        emptyResponseCodes: Set<Int> = DecodableResponseSerializer<Value>.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = DecodableResponseSerializer<Value>.defaultEmptyRequestMethods,
        completionHandler: @escaping @Sendable (AFDataResponse<Value>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: DecodableResponseSerializer<Value>(
                dataPreprocessor: dataPreprocessor,
                decoder: decoder,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods
            ),
            completionHandler: completionHandler
        )
    }
}
