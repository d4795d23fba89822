public import Foundation

/// A ``DownloadResponse`` whose failure is an ``AFError``.
public typealias AFDownloadResponse<Success> = DownloadResponse<Success, AFError>

/// What came of a download, and the value that was made of its file.
public struct DownloadResponse<Success, Failure: Error> {
    /// The request that was sent.
    public let request: URLRequest?
    /// The head of the server's response.
    public let response: HTTPURLResponse?
    /// The file with the body.
    public let fileURL: URL?
    /// What a new request needs in order to go on where this one ended.
    public let resumeData: Data?
    /// What the last attempt took.
    public let metrics: URLSessionTaskMetrics?
    /// How long it took to make the value of the file, in seconds.
    public let serializationDuration: TimeInterval
    /// The value, or why there is none.
    public let result: Result<Success, Failure>

    /// Puts a response together.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the server's response.
    ///   - fileURL: The file with the body.
    ///   - resumeData: What a new request needs in order to go on where this one ended.
    ///   - metrics: What the last attempt took.
    ///   - serializationDuration: How long it took to make the value of the file, in seconds.
    ///   - result: The value, or why there is none.
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
    /// Why there is no value.
    public var error: Failure? { result.failure }
}

extension DownloadResponse {
    /// The same response with what `transform` makes of the value.
    public func map<NewSuccess>(
        _ transform: (Success) -> NewSuccess
    ) -> DownloadResponse<NewSuccess, Failure> {
        with(result.map(transform))
    }

    /// The same response with what `transform` makes of the value, or throws.
    public func tryMap<NewSuccess>(
        _ transform: (Success) throws -> NewSuccess
    ) -> DownloadResponse<NewSuccess, any Error> {
        with(result.tryMap(transform))
    }

    /// The same response with what `transform` makes of the error.
    public func mapError<NewFailure: Error>(
        _ transform: (Failure) -> NewFailure
    ) -> DownloadResponse<Success, NewFailure> {
        with(result.mapError(transform))
    }

    /// The same response with what `transform` makes of the error, or throws.
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
    /// The beginning of the result, at most 1,024 characters of it.
    public var description: String { ResponseReport.words(for: result, mediaType: mediaType) }

    /// Request, response, file, durations and result; secrets are hidden.
    public var debugDescription: String {
        ResponseReport(
            request: request,
            response: response,
            body: [fileURL?.path, resumeData.map { "\($0.count) bytes of resume data" }]
                .compactMap { $0 }.joined(separator: ", "),
            metrics: metrics,
            serializationDuration: serializationDuration,
            result: description
        ).text
    }

    private var mediaType: String? { response?.value(forHTTPHeaderField: "Content-Type") }
}

extension DownloadResponse: CustomReflectable {
    /// What ``debugDescription`` shows, so that `dump` shows no secret either.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "request": request as Any, "response": response as Any, "fileURL": fileURL?.path as Any,
            "result": description,
        ]
        return Mirror(self, children: children)
    }
}

extension DownloadResponse: Sendable where Success: Sendable {}
