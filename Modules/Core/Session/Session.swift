internal import AirframeLayers
public import AirframeTransport
public import Dispatch
internal import Foundation
internal import Synchronization

/// Makes requests, and holds what they share: the transport, the configuration, the rules on trust, redirects and
/// retries.
///
/// Requests belong to their session: when nobody holds it any more, those in flight end with
/// ``AFError/sessionDeinitialized``.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, and the requests are behind a
/// lock.
open class Session: @unchecked Sendable {
    /// When a request's `URLRequest` is made and its task created.
    public enum RequestSetup: Sendable, Hashable {
        /// When the request is first resumed.
        case lazy
        /// As soon as the request is made.
        case eager
    }

    /// The transport that requests go through, with the session's layers around it.
    public let transport: any Transport
    /// A copy of the configuration, taken when the session was made.
    public var sessionConfiguration: URLSessionConfiguration { context.configuration }
    /// The queue at the root of the session: where its own callbacks run when no other queue is named.
    public let rootQueue: DispatchQueue
    /// Whether a request starts when its first handler is added.
    public let startRequestsImmediately: Bool
    /// When a request's `URLRequest` is made.
    public let requestSetup: RequestSetup
    /// The queue on which `URLRequest`s are made and adapted.
    public let requestQueue: DispatchQueue
    /// The queue on which responses are serialized.
    public let serializationQueue: DispatchQueue
    /// Adapts and retries every request of the session.
    public let interceptor: (any RequestInterceptor)?
    /// Says who decides on servers' certificates.
    public let serverTrustManager: ServerTrustManager?
    /// Decides on redirects, unless a request has its own.
    public let redirectHandler: (any RedirectHandler)?
    /// Decides on caching, unless a request has its own.
    public let cachedResponseHandler: (any CachedResponseHandler)?
    /// Passes every event on to the session's monitors.
    public let eventMonitor: CompositeEventMonitor

    package let context: SessionContext

    /// Makes a session on a transport that has all the layers that it is to have; the session adds redirects, HSTS
    /// where the configuration has a store for it, and nothing else. Subclasses begin here.
    ///
    /// - Parameters:
    ///   - transport: What requests go through.
    ///   - configuration: Headers, timeouts and options. The session takes a copy.
    ///   - rootQueue: Where callbacks run that name no queue of their own.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted. `nil` makes them wherever the request
    ///     runs, which saves two thread hops.
    ///   - serializationQueue: The queue on which responses are serialized. `nil` serializes wherever the request
    ///     runs.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Says who decides on servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Told of everything that happens.
    public init(
        composed transport: any Transport,
        configuration: URLSessionConfiguration = URLSessionConfiguration.af.default,
        rootQueue: DispatchQueue = DispatchQueue(label: "airframe.session.rootQueue"),
        startRequestsImmediately: Bool = true,
        requestSetup: RequestSetup = .lazy,
        requestQueue: DispatchQueue? = nil,
        serializationQueue: DispatchQueue? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
    ) {
        let configuration = configuration.copy()
        let context = SessionContext(
            transport: RedirectLayer(
                Self.secured(transport, by: configuration), rules: configuration.redirectRules),
            configuration: configuration,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            security: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors
        )
        self.context = context
        self.transport = context.transport
        self.rootQueue = rootQueue
        self.startRequestsImmediately = startRequestsImmediately
        self.requestSetup = requestSetup
        self.requestQueue = requestQueue ?? rootQueue
        self.serializationQueue = serializationQueue ?? rootQueue
        self.interceptor = interceptor
        self.serverTrustManager = serverTrustManager
        self.redirectHandler = redirectHandler
        self.cachedResponseHandler = cachedResponseHandler
        eventMonitor = context.monitor ?? CompositeEventMonitor(monitors: [])
        context.adopt(self)
    }

    deinit {
        for request in context.activeRequests.close() { request.abandon(with: .sessionDeinitialized) }
        context.monitor?.urlSession(didBecomeInvalidWithError: nil)
    }

    /// `transport` with the layer that sends requests by `https` where a host or the configuration asks for that.
    private static func secured(
        _ transport: any Transport,
        by configuration: URLSessionConfiguration
    ) -> any Transport {
        let store = configuration.strictTransportSecurity
        guard store != nil || configuration.httpsOnly else { return transport }
        return HSTSLayer(transport, store: store ?? HSTSStore(), httpsOnly: configuration.httpsOnly)
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
    /// Cancelling does not wait: completion handlers of the requests may run after `completion`.
    ///
    /// - Parameters:
    ///   - queue: Where to call `completion`.
    ///   - completion: Called once all requests have been told.
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

    /// Takes a new request in and, when the session sets requests up eagerly, begins to.
    package func perform<Made: Request>(_ request: Made) -> Made {
        request.chooseMonitors()
        context.activeRequests.insert(request)
        if requestSetup == .eager { request.prepareEagerly() }
        return request
    }
}
