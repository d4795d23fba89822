import Airframe
import AirframeCommandLine
import HTTPTypes

/// Fails a request on a status that `--retry` is to retry, while retries are left.
///
/// The commands do not validate statuses, so that the body of a response with an error status is written. Without a
/// failure no retrier is asked.
struct RetryableStatusInterceptor: ResponseInterceptor {
    let statuses: Set<Int>
    let retryLimit: UInt

    func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
        let status = response.head.status
        guard statuses.contains(status.code), request.retryCount < retryLimit,
            let method = request.request?.method, RetryPolicy.defaultRetryableHTTPMethods.contains(method)
        else { return response }
        throw CommandFailure(
            "the server answered \(status.code), and the wait that it asks for is too long to retry", status: .httpError)
    }
}
