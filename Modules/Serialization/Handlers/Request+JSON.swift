public import AirframeCore
public import Dispatch
public import Foundation

extension DataRequest {
    /// Calls `completionHandler` with the response's JSON as `JSONSerialization` makes it.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - options: The reading options of `JSONSerialization`.
    ///   - completionHandler: The handler that receives the response.
    @available(*, deprecated, message: "use responseDecodable, which makes values with types")
    @preconcurrency
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .allowFragments,
        completionHandler: @escaping @Sendable (AFDataResponse<Any>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: JSONResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods,
                options: options
            )
        ) { completionHandler($0.map { $0 as Any }) }
    }
}

extension DownloadRequest {
    /// Calls `completionHandler` with the downloaded file's JSON as `JSONSerialization` makes it.
    ///
    /// - Parameters:
    ///   - queue: The queue on which it is called.
    ///   - dataPreprocessor: The preprocessor that transforms the data before serialization.
    ///   - emptyResponseCodes: The status codes of responses that may be empty.
    ///   - emptyRequestMethods: The methods of requests whose responses may be empty.
    ///   - options: The reading options of `JSONSerialization`.
    ///   - completionHandler: The handler that receives the response.
    @available(*, deprecated, message: "use responseDecodable, which makes values with types")
    @preconcurrency
    @discardableResult
    public func responseJSON(
        queue: DispatchQueue = .main,
        dataPreprocessor: any DataPreprocessor = JSONResponseSerializer.defaultDataPreprocessor,
        emptyResponseCodes: Set<Int> = JSONResponseSerializer.defaultEmptyResponseCodes,
        emptyRequestMethods: Set<HTTPMethod> = JSONResponseSerializer.defaultEmptyRequestMethods,
        options: JSONSerialization.ReadingOptions = .allowFragments,
        completionHandler: @escaping @Sendable (AFDownloadResponse<Any>) -> Void
    ) -> Self {
        response(
            queue: queue,
            responseSerializer: JSONResponseSerializer(
                dataPreprocessor: dataPreprocessor,
                emptyResponseCodes: emptyResponseCodes,
                emptyRequestMethods: emptyRequestMethods,
                options: options
            )
        ) { completionHandler($0.map { $0 as Any }) }
    }
}
