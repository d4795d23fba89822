/// What a request's session does for it. ``Session`` is the one delegate of its requests.
///
/// The pipeline of a request calls none of this: it is here for code that asks a request for its session's settings.
public protocol RequestDelegate: AnyObject, Sendable {
    /// The configuration of the session.
    var sessionConfiguration: URLSessionConfiguration { get }
    /// Whether a request starts when its first handler is added.
    var startImmediately: Bool { get }
    /// Begins to prepare a request, where the session sets requests up eagerly.
    func readyToPerform(request: Request)
    /// Forgets a request that has ended.
    func cleanup(after request: Request)
    /// Asks the session's and the request's retriers about an error.
    ///
    /// - Parameters:
    ///   - request: The request that failed.
    ///   - error: Why.
    ///   - completion: Receives the answer.
    func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    )
}

extension Session: RequestDelegate {
    /// The same as ``startRequestsImmediately``.
    public var startImmediately: Bool { startRequestsImmediately }

    /// Begins to prepare a request, where the session sets requests up eagerly.
    public func readyToPerform(request: Request) {
        if requestSetup == .eager { request.prepareEagerly(for: self) }
    }

    /// Forgets a request: ``withAllRequests(perform:)`` no longer finds it.
    public func cleanup(after request: Request) { context.activeRequests.remove(request) }

    /// Asks the session's retriers, then the request's own, about an error.
    public func retryResult(
        for request: Request,
        dueTo error: AFError,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard let retrier = request.retrier(of: self) else { return completion(.doNotRetry) }
        Task { completion(await retrier.retryResult(for: request, in: self, dueTo: error)) }
    }

    /// The monitors that every session has unless it is given others.
    @available(*, deprecated, message: "pass monitors as eventMonitors")
    public var defaultEventMonitors: [any EventMonitor] { [AlamofireNotifications()] }
}

extension Request {
    /// The session, while there is one.
    public var delegate: (any RequestDelegate)? { session }
}
