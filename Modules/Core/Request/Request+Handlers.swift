public import Dispatch
internal import Foundation
internal import Synchronization

extension Request {
    // MARK: Before the request is sent

    /// Adds an interceptor after the request's own interceptors.
    @discardableResult
    @preconcurrency
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        mutable.withLock { state in
            state.interceptor = state.interceptor.map { Interceptor(interceptors: [$0, interceptor]) } ?? interceptor
        }
        return self
    }

    /// Adds an adapter to the request's own interceptors.
    @discardableResult
    @preconcurrency
    public func adapt(using adapter: any RequestAdapter) -> Self {
        interceptor(Interceptor(adapters: [adapter]))
    }

    /// Adds a retrier to the request's own interceptors.
    @discardableResult
    @preconcurrency
    public func retry(using retrier: any RequestRetrier) -> Self {
        interceptor(Interceptor(retriers: [retrier]))
    }

    /// Adds a monitor for this request only, in addition to the session's monitors. It receives the request's events;
    /// the events of tasks, `urlSession(…)`, go to the session's monitors alone.
    @discardableResult
    @preconcurrency
    public func eventMonitor(_ eventMonitor: any EventMonitor) -> Self {
        add(eventMonitor)
        return self
    }

    /// Sets the credential that answers challenges. It is read when the request is sent and at each challenge, so that
    /// it can be set until the server challenges.
    ///
    /// - Parameters:
    ///   - username: The user's name.
    ///   - password: The password.
    ///   - persistence: How long to keep the credential.
    @discardableResult
    public func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Sets the credential that answers challenges. It is read when the request is sent and at each challenge, so that
    /// it can be set until the server challenges.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        mutable.withLock { $0.credential = credential }
        return self
    }

    /// The credential that answers challenges.
    public internal(set) var credential: URLCredential? {
        get { mutable.withLock { $0.credential } }
        set { mutable.withLock { $0.credential = newValue } }
    }

    /// Sets the handler of the request's redirects in place of the session's. It is read at each redirect, so that it
    /// can be set until the server redirects. A second call has no effect.
    @discardableResult
    @preconcurrency
    public func redirect(using handler: any RedirectHandler) -> Self {
        mutable.withLock { $0.withHandlers { $0.redirect = $0.redirect ?? handler } }
        return self
    }

    /// The handler of the request's redirects.
    public internal(set) var redirectHandler: (any RedirectHandler)? {
        get { hasHandlers ? mutable.withLock { $0.handlers?.redirect } : nil }
        set { mutable.withLock { $0.withHandlers { $0.redirect = newValue } } }
    }

    /// Sets the handler that decides on caching the response, in place of the session's. It is read when a cache
    /// begins to store the response, so that it can be set until the response arrives; a response that is stale when it
    /// arrives and cannot be validated is stored only for a handler that was set before the start. A second call has no
    /// effect.
    @discardableResult
    @preconcurrency
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        mutable.withLock { $0.withHandlers { $0.cachedResponse = $0.cachedResponse ?? handler } }
        return self
    }

    /// The handler that decides on caching the response.
    public internal(set) var cachedResponseHandler: (any CachedResponseHandler)? {
        get { hasHandlers ? mutable.withLock { $0.handlers?.cachedResponse } : nil }
        set { mutable.withLock { $0.withHandlers { $0.cachedResponse = newValue } } }
    }

    // MARK: While the request is made

    /// Calls `handler` with the adapted URL request of each attempt.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the URL request. Replaces an earlier handler.
    @discardableResult
    @preconcurrency
    public func onURLRequestCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (URLRequest) -> Void
    ) -> Self {
        let made = mutable.withLock { state in
            state.withHandlers { $0.urlRequest = (queue, handler) }
            return state.announcedRequest
        }
        if let made { queue.async { handler(made) } }
        return self
    }

    /// Calls `handler` with the task of each attempt.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the handler on.
    ///   - handler: Receives the task. Replaces an earlier handler.
    @discardableResult
    @preconcurrency
    public func onURLSessionTaskCreation(
        on queue: DispatchQueue = .main,
        perform handler: @escaping @Sendable (URLSessionTask) -> Void
    ) -> Self {
        let created = mutable.withLock { state in
            state.withHandlers { $0.task = (queue, handler) }
            return state.tasks.last
        }
        if let created { queue.async { handler(created) } }
        return self
    }

    /// Notifies the request's handlers of a URL request that is ready to be sent.
    func notifyHandlers(of urlRequest: URLRequest) {
        guard let handlers = mutable.withLock({ $0.announceRequest() }) else { return }
        handlers.notify(of: urlRequest)
        describeForHandler()
    }

    /// Whether the request has handlers. The check does not copy them.
    var hasHandlers: Bool { mutable.withLock { $0.hasHandlers } }

    /// Calls the handler and the observers that wait for the command for curl, once, whether or not there is a request
    /// to describe.
    func describeForHandler() {
        let waiting = mutable.withLock { state -> [@Sendable (String) -> Void] in
            guard state.hasHandlers, var handlers = state.handlers else { return [] }
            let waiting = handlers.cURL.map { [$0] + handlers.observers.cURL } ?? handlers.observers.cURL
            guard !waiting.isEmpty else { return [] }
            handlers.cURL = nil
            handlers.observers.cURL = []
            state.handlers = handlers
            return waiting
        }
        guard !waiting.isEmpty else { return }
        let description = cURLDescription()
        for describe in waiting { describe(description) }
    }
}
