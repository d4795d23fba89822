import Airframe
import Foundation
import HTTPTypes

/// Retries after statuses: what `--retry` and `--retry-status` ask for.
///
/// The commands do not validate statuses, because they write the bodies of error responses too. So the interceptor
/// fails a request on a status that is to be retried while retries are left, and the retrier answers that failure. The
/// last response is written regardless of its status.
struct StatusRetries: ResponseInterceptor, RequestRetrier {
    /// A status that is to be retried.
    private struct RetryableStatus: Error {
        let status: Int
        /// The wait that the server asked for, in seconds (RFC 9110 §10.2.3).
        let retryAfter: TimeInterval
    }

    let statuses: Set<Int>
    let retryLimit: UInt

    func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
        let status = response.head.status.code
        guard statuses.contains(status), request.retryCount < retryLimit,
            let method = request.request?.method, RetryPolicy.defaultRetryableHTTPMethods.contains(method)
        else { return response }
        // A date is left to the backoff.
        let retryAfter = response.head.headerFields[.retryAfter].flatMap(TimeInterval.init) ?? 0
        guard retryAfter <= RetryPolicy.defaultMaximumRetryAfter else { return response }
        throw RetryableStatus(status: status, retryAfter: max(0, retryAfter))
    }

    func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let cause = error.asAFError?.underlyingError ?? error
        guard let cause = cause as? RetryableStatus else { return completion(.doNotRetry) }
        let backoff = 0.5 * pow(2, Double(min(request.retryCount, 10)))
        completion(.retryWithDelay(max(backoff, cause.retryAfter)))
    }
}
