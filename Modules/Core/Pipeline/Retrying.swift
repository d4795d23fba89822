internal import AirframeTransport
package import Foundation
internal import Synchronization

/// The decision of the retriers.
package enum RetryVerdict: Sendable {
    /// Retry after a number of seconds.
    case retry(TimeInterval?)
    /// Do not retry.
    case doNotRetry
    /// Do not retry, and fail with this error, because the retrier itself failed.
    case doNotRetryWithError(AFError)
}

extension Request {
    /// Asks the session's retriers, then the request's own, whether to retry after `error`. A cancelled request is not
    /// retried.
    package func retryVerdict(dueTo error: AFError) async -> RetryVerdict {
        guard !isEnded, mayBeRetried, let session, let retrier = retrier(of: session) else { return .doNotRetry }
        switch await retrier.retryResult(for: self, in: session, dueTo: error) {
        case .retry: return isEnded || isTooLate(after: 0) ? .doNotRetry : .retry(nil)
        case .retryWithDelay(let delay): return isEnded || isTooLate(after: delay) ? .doNotRetry : .retry(delay)
        case .doNotRetry: return .doNotRetry
        case .doNotRetryWithError(let retryError):
            return .doNotRetryWithError(.requestRetryFailed(retryError: retryError, originalError: error))
        }
    }

    /// Whether a retry after a delay in seconds would begin after the end of the limit for all attempts.
    private func isTooLate(after delay: TimeInterval) -> Bool {
        guard context.allAttemptsLimit != nil, let end = mutable.withLock({ $0.end }) else { return false }
        return context.clock.now.advanced(by: .clamping(seconds: delay)) >= end
    }

    func retrier(of session: Session) -> (any RequestRetrier)? {
        guard let own = interceptor else { return session.interceptor }
        guard let shared = session.interceptor else { return own }
        return Interceptor(retriers: [shared, own])
    }
}
