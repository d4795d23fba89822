public import AirframeCore
public import AirframeReachability
internal import AirframeTransport
public import Foundation

/// A `RetryPolicy` that wakes when the network is back.
///
/// It retries what a `RetryPolicy` retries, as often, and after the same waits. Where a request has failed while there was
/// no way to its server, the wait ends as soon as there is one: a minute of backoff is for servers, not for a
/// cable that is plugged in again after a second.
///
/// ```swift
/// let session = Session(interceptor: .reachabilityRetryPolicy(retryLimit: 5))
/// ```
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and a subclass answers for what it
/// adds.
open class ReachabilityRetryPolicy: RetryPolicy, AsyncRequestRetrier, @unchecked Sendable {
    private let connectivity: any Connectivity

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - monitor: What is watched. One that names an interface watches that one alone.
    public convenience init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        monitor: NetworkPathMonitor = NetworkPathMonitor()
    ) {
        self.init(
            connectivity: NetworkConnectivity(monitor.configuration),
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableURLErrorCodes: retryableURLErrorCodes
        )
    }

    package init(
        connectivity: any Connectivity,
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
    ) {
        self.connectivity = connectivity
        super.init(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableURLErrorCodes: retryableURLErrorCodes
        )
    }

    /// Decides as a `RetryPolicy` does, and waits itself where there is no way to the request's server.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session, whose transport's clock the wait goes by.
    ///   - error: Why it failed.
    /// - Returns: `.retry` at the end of the wait, or the policy's own decision.
    public final func retry(_ request: Request, for session: Session, dueTo error: any Error) async -> RetryResult {
        let decision = await withCheckedContinuation { continuation in
            super.retry(request, for: session, dueTo: error) { continuation.resume(returning: $0) }
        }
        guard case .retryWithDelay(let seconds) = decision, error.asAFError?.transportError != nil,
            let target = ConnectivityTarget(request, failedWith: error), let delay = Duration.limit(seconds: seconds)
        else { return decision }
        let clock = session.transport.clock
        let end = clock.now.advanced(by: delay)
        do {
            let hasWaited = try await clock.limited(until: end) { [connectivity] in
                try await connectivity.waitForWay(to: target, clock: clock) { _ in }
            }
            return hasWaited ? .retry : decision
        } catch {
            // The wait is over, or the request was cancelled, and then nobody listens.
            return .retry
        }
    }

    /// Calls the asynchronous form in a task.
    open override func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        Task { completion(await retry(request, for: session, dueTo: error)) }
    }
}

extension RequestInterceptor where Self == ReachabilityRetryPolicy {
    /// The policy with all its defaults.
    public static var reachabilityRetryPolicy: ReachabilityRetryPolicy { ReachabilityRetryPolicy() }

    /// A policy that wakes when the network is back.
    ///
    /// - Parameters:
    ///   - retryLimit: How often a request is retried at most.
    ///   - exponentialBackoffBase: What the wait is multiplied by from one retry to the next.
    ///   - exponentialBackoffScale: The first wait in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    public static func reachabilityRetryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes
    ) -> ReachabilityRetryPolicy {
        ReachabilityRetryPolicy(
            retryLimit: retryLimit,
            exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableURLErrorCodes: retryableURLErrorCodes
        )
    }
}
