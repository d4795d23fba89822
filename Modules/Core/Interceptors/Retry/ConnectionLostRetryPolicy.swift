public import AirframeLayers
internal import Foundation

/// Retries requests whose connection was lost, and no others.
///
/// Connections that were kept open are lost when servers restart or time out: a second attempt on a new one succeeds.
///
/// `@unchecked Sendable` because RetryPolicy is: nothing is added to what is immutable there.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next; less than 2 counts as 2.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - jitter: How waits are spread.
    ///   - budget: What all requests together may spend on retries.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        jitter: RetryJitter = .none,
        budget: RetryBudget? = nil
    ) {
        super.init(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: [],
            retryableURLErrorCodes: [.networkConnectionLost],
            jitter: jitter,
            budget: budget
        )
    }
}

extension RequestInterceptor where Self == ConnectionLostRetryPolicy {
    /// The policy with all its defaults.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }

    /// A policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next; less than 2 counts as 2.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - jitter: How waits are spread.
    ///   - budget: What all requests together may spend on retries.
    public static func connectionLostRetryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        jitter: RetryJitter = .none,
        budget: RetryBudget? = nil
    ) -> ConnectionLostRetryPolicy {
        ConnectionLostRetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            jitter: jitter,
            budget: budget
        )
    }
}
