/// The interface of a request's session. ``Session`` is the only conforming type.
///
/// The pipeline does not use this protocol. It exists for code that reads its session's settings from a request.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The configuration of the session.
    var sessionConfiguration: URLSessionConfiguration { get }
    /// Whether a request starts when its first handler is added.
    var startImmediately: Bool { get }
    /// Begins to prepare a request if the session sets requests up eagerly.
    func readyToPerform(request: Request)
    /// Removes a request that has ended from the active requests.
    func cleanup(after request: Request)
    /// Asks the session's and the request's retriers about an error.
    ///
    /// - Parameters:
    ///   - request: The request that failed.
    ///   - error: The error.
    ///   - completion: Receives the result. If a retrier fails, its error is wrapped in
    ///     ``AFError/requestRetryFailed(retryError:originalError:)``.
    func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

extension Session: RequestDelegate {
    /// The same as ``startRequestsImmediately``.
    public var startImmediately: Bool { startRequestsImmediately }

    /// Begins to prepare a request if the session sets requests up eagerly.
    public func readyToPerform(request: Request) {
        if requestSetup == .eager { request.prepareEagerly(for: self) }
    }

    /// Removes a request from the active requests: ``withAllRequests(perform:)`` no longer finds it.
    public func cleanup(after request: Request) { context.activeRequests.remove(request) }

    /// Asks the session's retriers, then the request's own, about an error.
    public func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let retrier = request.retrier(of: self) else { return completion(.doNotRetry) }
        Task {
            let result = await retrier.retryResult(for: request, in: self, dueTo: error)
            guard case .doNotRetryWithError(let retryError) = result else { return completion(result) }
            completion(.doNotRetryWithError(AFError.requestRetryFailed(retryError: retryError, originalError: error)))
        }
    }

    /// The monitors of a session that is given no others.
    @available(*, deprecated, message: "pass monitors as eventMonitors")
    public var defaultEventMonitors: [any EventMonitor] { [AlamofireNotifications()] }
}

extension Request {
    /// The session, until it is released.
    public var delegate: (any RequestDelegate)? { session }
}
