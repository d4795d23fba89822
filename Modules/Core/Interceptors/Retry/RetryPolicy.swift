public import AirframeLayers
internal import AirframeTransport
public import Foundation

/// Retries requests that failed for a reason that may pass, each time after a longer wait.
///
/// A request whose method is safe to repeat (RFC 9110 §9.2.2) is retried after one of the status codes or `URLError`
/// codes, as is one with an `Idempotency-Key` field (``IdempotencyKeyInterceptor``). Any other, a `POST` for one, is
/// retried only when the transport says that the server cannot have acted on it: it was not sent, or was refused
/// unprocessed (``TransportError/processing``).
///
/// The wait is at least what the server asks for: by `Retry-After`, else by a `RateLimit` field whose quota is exhausted.
///
/// Waits are on the clock of the session's transport, so that a test's clock can skip them.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    // Unchecked because the class is open: its own properties are immutable, and a subclass answers for what it adds.

    /// 2.
    public static let defaultRetryLimit: UInt = 2
    /// 2.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// Half a second.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// A minute.
    public static let defaultMaximumRetryAfter: TimeInterval = 60

    /// How often a request is retried at most.
    public let retryLimit: UInt
    /// What the wait is multiplied by from one retry to the next.
    public let exponentialBackoffBase: UInt
    /// The first wait in seconds.
    public let exponentialBackoffScale: Double
    /// The methods that are safe to repeat.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes after which a request is retried.
    public let retryableHTTPStatusCodes: Set<Int>
    /// The `URLError` codes after which a request is retried.
    public let retryableURLErrorCodes: Set<URLError.Code>
    /// The longest wait in seconds that a server may ask for by `Retry-After` (RFC 9110 §10.2.3) or `RateLimit`. A
    /// request that would have to wait longer is not retried.
    public let maximumRetryAfter: TimeInterval
    /// What all requests together may spend on retries; `nil` for no bound but ``retryLimit``.
    public let budget: RetryBudget?

    private let backoff: Backoff

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next; less than 2 counts as 2.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - jitter: How waits are spread, so that clients that failed together do not come back together.
    ///   - maximumRetryAfter: The longest wait in seconds that a server's `Retry-After` may ask for.
    ///   - budget: What all requests together may spend on retries.
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

    /// Retries after the wait, unless the limit is reached, the failure is none that passes, the server asks for too
    /// long a wait, or the budget is spent.
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

    /// Whether the failure is one that may pass, of a request that may be repeated.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - error: Why it failed.
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

    /// The wait in seconds: the longer of what the backoff and what the server says. `nil` when the server says more
    /// than this policy waits.
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
    /// The policy with all its defaults.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// A policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next; less than 2 counts as 2.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - jitter: How waits are spread.
    ///   - maximumRetryAfter: The longest wait in seconds that a server's `Retry-After` may ask for.
    ///   - budget: What all requests together may spend on retries.
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
