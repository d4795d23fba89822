internal import AirframeTransport
public import Foundation

/// Whether a failed request is sent again.
public enum RetryResult: Sendable {
    /// At once.
    case retry
    /// After this many seconds.
    case retryWithDelay(TimeInterval)
    /// No.
    case doNotRetry
    /// No, and this is why: the request fails with it.
    case doNotRetryWithError(any Error)
}

extension RetryResult {
    /// Whether the next retrier may be asked.
    var leavesItToOthers: Bool {
        if case .doNotRetry = self { true } else { false }
    }
}

/// Decides whether failed requests are sent again.
///
/// Types that would rather be asynchronous conform to ``AsyncRequestRetrier``.
public protocol RequestRetrier: Sendable {
    /// Decides on a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: Why it failed.
    ///   - completion: Takes the decision. Only the first call counts; a request whose retrier never calls it waits
    ///     until it is cancelled.
    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

extension RequestRetrier {
    /// What this retrier decides on a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: Why it failed.
    /// - Returns: The decision; ``RetryResult/doNotRetry`` when the task is cancelled before there is one.
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
