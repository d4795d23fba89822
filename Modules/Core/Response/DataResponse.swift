public import Foundation

/// A ``DataResponse`` whose failure is an ``AFError``.
public typealias AFDataResponse<Success> = DataResponse<Success, AFError>

/// The response to a data or upload request, and the value that was serialized from it.
public struct DataResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the server's response.
    public let response: HTTPURLResponse?
    /// The body.
    public let data: Data?
    /// The metrics of the last attempt.
    public let metrics: URLSessionTaskMetrics?
    /// The duration of serialization in seconds.
    public let serializationDuration: TimeInterval
    /// The value, or the error.
    public let result: Result<Success, Failure>

    // Inlinable: the general form looks up generic metadata for each response, 680 instructions.
    /// Creates a response.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the server's response.
    ///   - data: The body.
    ///   - metrics: The metrics of the last attempt.
    ///   - serializationDuration: The duration of serialization in seconds.
    ///   - result: The value, or the error.
    @inlinable
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
    /// The error, if the request failed.
    public var error: Failure? { result.failure }
}

extension DataResponse {
    /// Returns this response with the value transformed by `transform`.
    public func map<NewSuccess>(
        _ transform: (Success) -> NewSuccess
    ) -> DataResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Returns this response with the value transformed by `transform`. An error that `transform` throws becomes the
    /// failure of the returned response.
    ///
    /// - Parameter transform: Transforms the value; not called if this response failed.
    public func tryMap<NewSuccess>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DataResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// Returns this response with the error transformed by `transform`.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DataResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// Returns this response with the error transformed by `transform`. An error that `transform` throws becomes the
    /// failure of the returned response.
    ///
    /// - Parameter transform: Transforms the error; not called if this response succeeded.
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
    /// The whole result. Secrets are redacted.
    public var description: String { ResponseReport.words(for: result, mediaType: mediaType) }

    /// Request and response with their header fields and bodies, durations and result. Secrets are redacted.
    ///
    /// A body is written out if its media type contains `json`, `xml` or `text` and it has at most 100,000 bytes;
    /// otherwise its size is.
    public var debugDescription: String {
        ResponseReport(
            request: request,
            response: response,
            content: .body(data),
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: description
        ).text
    }

    private var mediaType: String? { response?.value(forHTTPHeaderField: "Content-Type") }
}

extension DataResponse: CustomReflectable {
    /// A mirror of ``debugDescription``, so that `dump` does not show secrets either.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": request as Any, "response": response as Any, "result": description])
    }
}

extension DataResponse: Sendable where Success: Sendable {}
