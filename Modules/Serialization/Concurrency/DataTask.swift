public import AirframeCore
internal import Foundation

/// An awaitable response: the whole response, its result, or its value.
public struct DataTask<Value: Sendable>: Sendable {
    @usableFromInline
    let request: DataRequest
    @usableFromInline
    let outcome: ResponseOutcome<AFDataResponse<Value>>
    @usableFromInline
    let shouldAutomaticallyCancel: Bool

    /// The response with its request, data, metrics and result.
    ///
    /// Cancelling the awaiting task cancels the request if the data task was created with `automaticallyCancelling`.
    @inlinable
    public var response: DataResponse<Value, AFError> {
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
