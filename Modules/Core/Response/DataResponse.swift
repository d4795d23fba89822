public import Foundation

/// A ``DataResponse`` whose failure is an ``AFError``.
public typealias AFDataResponse<Success> = DataResponse<Success, AFError>

/// What came of a data or upload request, and the value that was made of it.
public struct DataResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the server's response.
    public let response: HTTPURLResponse?
    /// The body.
    public let data: Data?
    /// What the last attempt took.
    public let metrics: URLSessionTaskMetrics?
    /// How long it took to make the value of the body, in seconds.
    public let serializationDuration: TimeInterval
    /// The value, or why there is none.
    public let result: Result<Success, Failure>

    /// Puts a response together.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the server's response.
    ///   - data: The body.
    ///   - metrics: What the last attempt took.
    ///   - serializationDuration: How long it took to make the value of the body, in seconds.
    ///   - result: The value, or why there is none.
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        data: Data?,
        metrics: URLSessionTaskMetrics?,
        serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.data = data
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    /// The value, if there is one.
    public var value: Success? { result.success }
    /// Why there is no value.
    public var error: Failure? { result.failure }
}

extension DataResponse {
    /// The same response with what `transform` makes of the value.
    public func map<NewSuccess>(
        _ transform: (Success) -> NewSuccess
    ) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The same response with what `transform` makes of the value, or throws.
    public func tryMap<NewSuccess>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DataResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The same response with what `transform` makes of the error.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The same response with what `transform` makes of the error, or throws.
    public func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> DataResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }

    private func with<NewSuccess, NewFailure>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DataResponse<NewSuccess, NewFailure> {
        DataResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            data: data,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DataResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The beginning of the result, at most 1,024 characters of it.
    public var description: String { ResponseReport.words(for: result, mediaType: mediaType) }

    /// Request, response, the beginning of the body, durations and result; secrets are hidden.
    public var debugDescription: String {
        ResponseReport(
            request: request,
            response: response,
            body: data.map { ResponseReport.body($0, mediaType: mediaType) },
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: description
        ).text
    }

    private var mediaType: String? { response?.value(forHTTPHeaderField: "Content-Type") }
}

extension DataResponse: CustomReflectable {
    /// What ``debugDescription`` shows, so that `dump` shows no secret either.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": request as Any, "response": response as Any, "result": description])
    }
}

extension DataResponse: Sendable where Success: Sendable {}
