public import AirframeCore
public import Dispatch
public import Foundation

extension DownloadRequest {
    /// Calls `completionHandler` with the location of the file once the request has finished.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func response(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void
    ) -> Self {
        appendRaw(.detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the value that a serializer makes of the file.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - responseSerializer: The serializer that makes the value.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func response<Serializer: DownloadResponseSerializerProtocol>(
        queue: DispatchQueue = .main,
        responseSerializer: Serializer,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        append(responseSerializer, .detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the value that a serializer makes of the file.
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
        completionHandler: @escaping @Sendable (AFDownloadResponse<Serializer.SerializedObject>) -> Void
    ) -> Self {
        append(responseSerializer, .detached, prepare: delivery(on: queue, to: completionHandler))
        return self
    }

    /// Calls `completionHandler` with the location of the file, or with the error if there is no file.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - completionHandler: The handler that receives the response.
    @preconcurrency
    @discardableResult
    public func responseURL(
        queue: DispatchQueue = .main,
        completionHandler: @escaping @Sendable (AFDownloadResponse<URL>) -> Void
    ) -> Self {
        response(queue: queue, responseSerializer: URLResponseSerializer(), completionHandler: completionHandler)
    }

    /// Calls `completionHandler` with the data of the file.
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
        completionHandler: @escaping @Sendable (AFDownloadResponse<Data>) -> Void
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

    /// Calls `completionHandler` with the text of the file.
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
        completionHandler: @escaping @Sendable (AFDownloadResponse<String>) -> Void
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

    /// Calls `completionHandler` with a value decoded from the file.
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
        completionHandler: @escaping @Sendable (AFDownloadResponse<Value>) -> Void
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
