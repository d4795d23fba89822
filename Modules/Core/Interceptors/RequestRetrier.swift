internal import AirframeTransport
public import Foundation

/// The decision of a retrier.
public enum RetryResult: Sendable {
    /// Retry immediately.
    case retry
    /// Retry after a number of seconds.
    case retryWithDelay(TimeInterval)
    /// Do not retry.
    case doNotRetry
    /// Do not retry, and fail the request with this error.
    case doNotRetryWithError(any Error)
}

extension RetryResult {
    /// Whether the next retrier is called.
    var leavesItToOthers: Bool {
        if case .doNotRetry = self { true } else { false }
    }
}

/// Decides whether failed requests are retried.
///
/// Types with an asynchronous function conform to ``AsyncRequestRetrier``.
public protocol RequestRetrier: Sendable {
    /// Decides whether to retry a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the decision. Only the first call counts. If the retrier never calls it, the request
    ///     waits until it is cancelled.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

extension RequestRetrier {
    /// Returns the retrier's decision on a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    /// - Returns: The decision; ``RetryResult/doNotRetry`` if the task is cancelled before the retrier answers.
    public func retryResult(
        for request: Request,
        in session: Session,
        dueTo error: any Error
    ) async -> RetryResult {
        if let retrier = self as? any AsyncRequestRetrier {
            return await retrier.retry(request, for: session, dueTo: error)
        }
        let decision = try? await FirstAnswer.wait { answer in
            retry(request, for: session, dueTo: error) { answer.give(.success($0)) }
        }
        return decision ?? .doNotRetry
    }
}
