internal import AirframeLayers
public import AirframeTransport
public import Dispatch
internal import Foundation
internal import Synchronization

/// Creates requests, which share its transport, configuration, interceptors, trust evaluation and redirect handling.
///
/// A session owns its requests: when its last reference is released, the requests in flight end with
/// ``AFError/sessionDeinitialized``.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, and the requests are behind a
/// lock.
open class Session: @unchecked Sendable {
    /// The time at which a request's `URLRequest` and its task are made.
    public enum RequestSetup: Sendable, Hashable {
        /// When the request is first resumed.
        case lazy
        /// As soon as the request is created.
        case eager
    }

    /// The transport that sends requests, with the session's layers around it.
    public let transport: any Transport
    /// The handle that identifies the session to monitors.
    public var session: URLSession { context.urlSession }
    /// The functions that a subclass may override.
    public let delegate: SessionDelegate
    /// A copy of the configuration, made when the session was created.
    public var sessionConfiguration: URLSessionConfiguration { context.configuration }
    /// The queue of `withAllRequests` and `cancelAllRequests`, and of handlers that `cURLDescription(calling:)` adds to
    /// a request that has been made.
    public let rootQueue: DispatchQueue
    /// Whether a request starts when its first handler is added.
    public let startRequestsImmediately: Bool
    /// The time at which a request's `URLRequest` is made.
    public let requestSetup: RequestSetup
    /// The queue on which `URLRequest`s are created and adapted. Unless the session was given one, a separate queue
    /// that targets the root queue and on which nothing runs.
    public let requestQueue: DispatchQueue
    /// The queue on which responses are serialized. Unless the session was given one, a separate queue that targets the
    /// root queue and on which nothing runs.
    public let serializationQueue: DispatchQueue
    /// Adapts and retries every request of the session.
    public let interceptor: (any RequestInterceptor)?
    /// Provides the evaluators of servers' certificates.
    public let serverTrustManager: ServerTrustManager?
    /// Decides on redirects, unless a request has its own.
    public let redirectHandler: (any RedirectHandler)?
    /// Decides on caching, unless a request has its own.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// Forwards events to the monitors that the session was given.
    public let eventMonitor: CompositeEventMonitor

    package let context: SessionContext

    /// Creates a session on a transport that has all of its layers: the session adds none. The designated initializer
    /// of subclasses.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - configuration: Headers, timeouts and options. The session copies it.
    ///   - delegate: Receives the events of tasks, if it is a subclass of ``SessionDelegate``.
    ///   - rootQueue: The queue of `withAllRequests` and `cancelAllRequests`.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted. `nil` makes them on the thread of the
    ///     request, which saves two thread hops.
    ///   - serializationQueue: The queue on which responses are serialized. `nil` serializes them on the thread of the
    ///     request.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Provides the evaluators of servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Receive every event.
    ///   - session: The handle that identifies the session to monitors, which then has the configuration too; `nil` for
    ///     a new one with `configuration`.
    public init(
        composed transport: any Transport,
        configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        delegate: SessionDelegate = SessionDelegate(),
        rootQueue: DispatchQueue = DispatchQueue(label: "airframe.session.rootQueue"),
        startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = [AlamofireNotifications()],
        session: URLSession? = nil
    ) {
        let handle =
            session ?? URLSession(configuration: configuration, delegate: delegate, rootQueue: rootQueue)
        let configuration = handle.configuration
        let decisions = DelegateDecisions(delegate, handle)
        let redirectHandler = redirectHandler ?? decisions
        let cachedResponseHandler = cachedResponseHandler ?? decisions
        let delegateMonitors: [any EventMonitor] = DelegateMonitor(delegate).map { [$0] } ?? []
        let context = SessionContext(
            urlSession: handle,
            transport: transport,
            configuration: configuration,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            security: serverTrustManager.map {
                SessionSecurity(rules: $0, transport: LayerStack.beneathUpgrades(transport))
            },
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: delegateMonitors + eventMonitors
        )
        self.context = context
        self.delegate = delegate
        self.transport = context.transport
        self.rootQueue = rootQueue
        self.startRequestsImmediately = startRequestsImmediately
        self.requestSetup = requestSetup
        let label = rootQueue.label
        self.requestQueue = requestQueue ?? DispatchQueue(label: "\(label).requestQueue", target: rootQueue)
        self.serializationQueue =
            serializationQueue ?? DispatchQueue(label: "\(label).serializationQueue", target: rootQueue)
        self.interceptor = interceptor
        self.serverTrustManager = serverTrustManager
        self.redirectHandler = redirectHandler
        self.cachedResponseHandler = cachedResponseHandler
        // Requests post notifications themselves, so that a session without other monitors sends no events.
        let sent = context.postsNotifications ? nil : context.monitor
        eventMonitor = sent ?? CompositeEventMonitor(monitors: delegateMonitors + eventMonitors)
        context.adopt(self)
    }

    deinit {
        for request in context.activeRequests.close() { request.abandon(with: .sessionDeinitialized) }
        context.monitor?.urlSession(session, didBecomeInvalidWithError: nil)
    }

    // MARK: All requests

    /// Calls `action` with the requests that have not finished.
    ///
    /// - Parameter action: Called on the root queue.
    public func withAllRequests(perform action: @escaping @Sendable (Set<Request>) -> Void) {
        rootQueue.async { [self] in action(context.activeRequests.all) }
    }

    /// Cancels the requests that have not finished.
    ///
    /// The call does not wait: completion handlers of the requests may run after `completion`.
    ///
    /// - Parameters:
    ///   - queue: The queue to call `completion` on.
    ///   - completion: Called once all requests have been cancelled.
    public func cancelAllRequests(
        completingOnQueue queue: DispatchQueue = .main,
        completion: (@Sendable () -> Void)? = nil
    ) {
        withAllRequests { requests in
            for request in requests { request.cancel() }
            if let completion { queue.async(execute: completion) }
        }
    }

    // MARK: Requests

    /// Adds a new request and begins to prepare it if the session sets requests up eagerly.
    package func perform<Made: Request>(_ request: Made) -> Made {
        request.chooseMonitors()
        context.activeRequests.insert(request)
        readyToPerform(request: request)
        return request
    }
}
