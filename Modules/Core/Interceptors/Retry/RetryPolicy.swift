public import AirframeLayers
internal import AirframeTransport
public import Foundation

/// Retries requests after temporary failures, with exponentially growing delays.
///
/// A request whose method is idempotent (RFC 9110 §9.2.2) is retried after one of the status codes or `URLError` codes,
/// as is one with an `Idempotency-Key` field (``IdempotencyKeyInterceptor``). Another request, such as a `POST`, is
/// retried only if the transport reports that the server cannot have processed it: it was not sent, or was rejected
/// unprocessed (``TransportError/processing``).
///
/// The delay is at least that demanded by the server's `Retry-After`, else by a `RateLimit` field whose quota is
/// exhausted.
///
/// Delays are on the clock of the session's transport, so that tests can use a virtual clock.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    // Unchecked because the class is open: its own properties are immutable, and subclasses are responsible for theirs.

    /// The default maximum number of retries of a request: 2.
    public static let defaultRetryLimit: UInt = 2
    /// The default factor between the delays of successive retries: 2.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// The default first delay: 0.5 seconds.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// The default maximum delay that a server may demand: 60 seconds.
    public static let defaultMaximumRetryAfter: TimeInterval = 60

    /// The maximum number of retries of a request.
    public let retryLimit: UInt
    /// The factor between the delays of successive retries.
    public let exponentialBackoffBase: UInt
    /// The first delay in seconds.
    public let exponentialBackoffScale: Double
    /// The methods that are safe to repeat.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes after which a request is retried.
    public let retryableHTTPStatusCodes: Set<Int>
    /// The `URLError` codes after which a request is retried.
    public let retryableURLErrorCodes: Set<URLError.Code>
    /// The maximum delay in seconds that a server may demand by `Retry-After` (RFC 9110 §10.2.3) or `RateLimit`. A
    /// request that would have to wait longer is not retried.
    public let maximumRetryAfter: TimeInterval
    /// The budget for the retries of all requests together; `nil` for no limit but ``retryLimit``.
    public let budget: RetryBudget?

    private let backoff: Backoff

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between the delays of successive retries; at least 2.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - jitter: The jitter of the delays, so that clients that failed together do not retry together.
    ///   - maximumRetryAfter: The maximum delay in seconds that the server's `Retry-After` may demand.
    ///   - budget: The budget for the retries of all requests together.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        jitter: RetryJitter = .none,
        maximumRetryAfter: TimeInterval = RetryPolicy.defaultMaximumRetryAfter,
        budget: RetryBudget? = nil
    ) {
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = max(2, exponentialBackoffBase)
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.retryableURLErrorCodes = retryableURLErrorCodes
        self.maximumRetryAfter = maximumRetryAfter
        self.budget = budget
        backoff = Backoff(
            base: Double(self.exponentialBackoffBase),
            scale: exponentialBackoffScale,
            jitter: jitter
        )
    }

    /// Retries after the delay, unless the limit is reached, the failure is permanent, the server demands too long a
    /// delay, or the budget is spent.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the decision.
    open func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard UInt(clamping: request.retryCount) < retryLimit, shouldRetry(request: request, dueTo: error),
            let delay = delay(before: request, on: session.transport.clock)
        else { return completion(.doNotRetry) }
        if let budget, !budget.withdraw(at: session.transport.clock.now) { return completion(.doNotRetry) }
        completion(.retryWithDelay(delay))
    }

    /// Returns whether the failure may be temporary and the request may be repeated.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - error: The error that it failed with.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        guard let method = request.request?.method else { return false }
        let hasKey = request.request?.headers[IdempotencyKeyInterceptor.fieldName] != nil
        guard retryableHTTPMethods.contains(method) || hasKey || Self.isUnprocessed(error) else { return false }
        if let status = request.response?.statusCode, retryableHTTPStatusCodes.contains(status) { return true }
        guard let code = (error as? URLError ?? error.asAFError?.underlyingError as? URLError)?.code else {
            return false
        }
        return retryableURLErrorCodes.contains(code)
    }

    /// Returns the delay in seconds: the longer of the backoff's and the server's, or `nil` if the server's exceeds the
    /// policy's maximum.
    private func delay(before request: Request, on clock: any TransportClock) -> TimeInterval? {
        let wait = backoff.delay(afterRetries: request.retryCount)
        // Where both fields are sent, Retry-After takes precedence (draft-ietf-httpapi-ratelimit-headers §5).
        let retryAfter = request.response.flatMap { RetryAfter($0) }?.delay(on: clock)
        guard let asked = retryAfter ?? request.response?.rateLimitDelay else { return wait }
        return asked <= maximumRetryAfter ? max(wait, asked) : nil
    }

    private static func isUnprocessed(_ error: any Error) -> Bool {
        guard let processing = error.asAFError?.transportError?.processing else { return false }
        return processing != .unknown
    }
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A policy with default values.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Returns a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between the delays of successive retries; at least 2.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - jitter: The jitter of the delays.
    ///   - maximumRetryAfter: The maximum delay in seconds that the server's `Retry-After` may demand.
    ///   - budget: The budget for the retries of all requests together.
    public static func retryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        jitter: RetryJitter = .none,
        maximumRetryAfter: TimeInterval = RetryPolicy.defaultMaximumRetryAfter,
        budget: RetryBudget? = nil
    ) -> RetryPolicy {
        RetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableURLErrorCodes: retryableURLErrorCodes,
            jitter: jitter,
            maximumRetryAfter: maximumRetryAfter,
            budget: budget
        )
    }
}
