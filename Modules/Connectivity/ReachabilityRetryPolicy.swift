public import AirframeCore
public import AirframeReachability
internal import AirframeTransport
public import Foundation

/// A `RetryPolicy` whose wait ends early when the network returns.
///
/// It retries the same errors as `RetryPolicy`, as often, after the same delays. If there was no path to the server
/// when the request failed, the delay ends as soon as there is one: a minute of backoff protects a server, but makes no
/// sense for a cable that is plugged in again after a second.
///
/// ```swift
/// let session = Session(interceptor: .reachabilityRetryPolicy(retryLimit: 5))
/// ```
///
/// `@unchecked Sendable` because the class is open: its own property is immutable, and subclasses are responsible for
/// their own state.
open class ReachabilityRetryPolicy: RetryPolicy, @unchecked Sendable {
    private let connectivity: any Connectivity

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which the delay grows from one retry to the next.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods that are safe to repeat.
    ///   - retryableHTTPStatusCodes: The status codes after which a request is retried.
    ///   - retryableURLErrorCodes: The `URLError` codes after which a request is retried.
    ///   - monitor: The path monitor. A monitor with an interface watches only that one.
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

    /// Decides as `RetryPolicy` does, and waits itself if there is no path to the request's server: the decision is
    /// then `.retry` at the end of the wait.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The request's session. Its transport's clock times the wait.
    ///   - error: The request's error.
    ///   - completion: Receives the decision.
    open override func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        let clock = session.transport.clock
        super.retry(request, for: session, dueTo: error) { [self] decision in
            guard case .retryWithDelay(let seconds) = decision, error.asAFError?.transportError != nil,
                let target = ConnectivityTarget(request, failedWith: error),
                let delay = Duration.limit(seconds: seconds)
            else { return completion(decision) }
            let wait = Task {
                let hasWaited = await waitForPath(to: target, clock: clock, until: clock.now.advanced(by: delay))
                completion(hasWaited ? .retry : decision)
            }
            // The request may be cancelled meanwhile.
            request.onFinish { wait.cancel() }
        }
    }

    /// Returns whether the call had to wait.
    private func waitForPath(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        until end: MonotonicInstant
    ) async -> Bool {
        do {
            return try await clock.limited(until: end) { [connectivity] in
                try await connectivity.waitForPath(to: target, clock: clock) { _ in }
            }
        } catch {
            // The delay is over, or the request was cancelled and ignores the result.
            return true
        }
    }
}

extension RequestInterceptor where Self == ReachabilityRetryPolicy {
    /// The policy with default settings.
    public static var reachabilityRetryPolicy: ReachabilityRetryPolicy { ReachabilityRetryPolicy() }

    /// Creates a policy whose wait ends early when the network returns.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which the delay grows from one retry to the next.
    ///   - exponentialBackoffScale: The first delay in seconds.
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
