public import AirframeCore
internal import Foundation

/// An awaitable download: the whole response, its result, or its value.
public struct DownloadTask<Value: Sendable>: Sendable {
    @usableFromInline
    let request: DownloadRequest
    @usableFromInline
    let outcome: ResponseOutcome<AFDownloadResponse<Value>>
    @usableFromInline
    let shouldAutomaticallyCancel: Bool

    /// The response with its request, file, metrics and result.
    ///
    /// Cancelling the awaiting task cancels the request if the download task was created with
    /// `automaticallyCancelling`.
    @inlinable
    public var response: DownloadResponse<Value, AFError> {
        get async { await outcome.awaited(cancelling: shouldAutomaticallyCancel ? request : nil) }
    }

    /// The result of the response.
    @inlinable
    public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// The value of the response.
    ///
    /// - Throws: The ``AFError`` that the request failed with.
    @inlinable
    public var value: Value {
        get async throws { try await result.get() }
    }

    /// Cancels the request.
    @inlinable
    public func cancel() { request.cancel() }

    /// Resumes the request.
    public func resume() { request.resume() }

    /// Suspends the request.
    public func suspend() { request.suspend() }
}
