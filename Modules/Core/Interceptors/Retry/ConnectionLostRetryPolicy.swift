public import AirframeLayers
internal import Foundation

/// Retries requests whose connection was lost, and no others.
///
/// Idle connections are lost when servers restart or time out. A second attempt on a new connection succeeds.
///
/// `@unchecked Sendable` because the superclass is, and this class adds no state: it is immutable.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between the delays of successive retries; at least 2.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - jitter: The jitter of the delays.
    ///   - budget: The budget for the retries of all requests together.
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
    /// A policy with default values.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy { ConnectionLostRetryPolicy() }

    /// Returns a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between the delays of successive retries; at least 2.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - jitter: The jitter of the delays.
    ///   - budget: The budget for the retries of all requests together.
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
