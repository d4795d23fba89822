public import Foundation

/// A ``DownloadResponse`` whose failure is an ``AFError``.
public typealias AFDownloadResponse<Success> = DownloadResponse<Success, AFError>

/// The response to a download, and the value that was serialized from its file.
public struct DownloadResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the server's response.
    public let response: HTTPURLResponse?
    /// The file with the body.
    public let fileURL: URL?
    /// The data with which a new request continues the download.
    public let resumeData: Data?
    /// The metrics of the last attempt.
    public let metrics: URLSessionTaskMetrics?
    /// The duration of serialization in seconds.
    public let serializationDuration: TimeInterval
    /// The value, or the error.
    public let result: Result<Success, Failure>

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the server's response.
    ///   - fileURL: The file with the body.
    ///   - resumeData: The data with which a new request continues the download.
    ///   - metrics: The metrics of the last attempt.
    ///   - serializationDuration: The duration of serialization in seconds.
    ///   - result: The value, or the error.
    @inlinable
    public init(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        resumeData: Data?,
        metrics: URLSessionTaskMetrics?,
        serializationDuration: TimeInterval,
        result: Result<Success, Failure>
    ) {
        self.request = request
        self.response = response
        self.fileURL = fileURL
        self.resumeData = resumeData
        self.metrics = metrics
        self.serializationDuration = serializationDuration
        self.result = result
    }

    /// The value, if there is one.
    public var value: Success? { result.success }
    /// The error, if the request failed.
    public var error: Failure? { result.failure }
}

extension DownloadResponse {
    /// Returns this response with the value transformed by `transform`.
    public func map<NewSuccess>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// Returns this response with the value transformed by `transform`. An error that `transform` throws becomes the
    /// failure of the returned response.
    ///
    /// - Parameter transform: Transforms the value; not called if this response failed.
    public func tryMap<NewSuccess>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// Returns this response with the error transformed by `transform`.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// Returns this response with the error transformed by `transform`. An error that `transform` throws becomes the
    /// failure of the returned response.
    ///
    /// - Parameter transform: Transforms the error; not called if this response succeeded.
    public func tryMapError<NewFailure: Error>(
        _ transform: (Failure) throws -> NewFailure
    ) -> DownloadResponse<Success, any Error> {
        with(result.tryMapError(transform))
    }

    private func with<NewSuccess, NewFailure>(
        _ result: Result<NewSuccess, NewFailure>
    ) -> DownloadResponse<NewSuccess, NewFailure> {
        DownloadResponse<NewSuccess, NewFailure>(
            request: request,
            response: response,
            fileURL: fileURL,
            resumeData: resumeData,
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: result
        )
    }
}

extension DownloadResponse: CustomStringConvertible, CustomDebugStringConvertible {
    /// The whole result. Secrets are redacted.
    public var description: String { ResponseReport.words(for: result, mediaType: mediaType) }

    /// Request and response with their header fields, file, size of the resume data, durations and result. Secrets are
    /// redacted.
    public var debugDescription: String {
        ResponseReport(
            request: request,
            response: response,
            content: .file(fileURL, resumeData: resumeData),
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: description
        ).text
    }

    private var mediaType: String? { response?.value(forHTTPHeaderField: "Content-Type") }
}

extension DownloadResponse: CustomReflectable {
    /// A mirror of ``debugDescription``, so that `dump` does not show secrets either.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "request": request as Any, "response": response as Any, "fileURL": fileURL?.path as Any,
            "result": description,
        ]
        return Mirror(self, children: children)
    }
}

extension DownloadResponse: Sendable where Success: Sendable {}
