public import AirframeCore
internal import AirframeSocket
public import Dispatch
internal import Foundation

extension Session {
    /// The session behind ``AF``.
    public static let `default` = Session()

    /// Creates a session on its own engine over sockets, with the
    /// ``standardLayers(over:configuration:eventMonitors:)`` around it.
    ///
    /// - Parameters:
    ///   - configuration: Headers, timeouts and options. The session copies it.
    ///   - delegate: Receives the events of tasks, if it is a subclass of ``SessionDelegate``.
    ///   - rootQueue: The queue of `withAllRequests` and `cancelAllRequests`.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted. `nil` makes them on the thread of the
    ///     request.
    ///   - serializationQueue: The queue on which responses are serialized. `nil` serializes them on the thread of the
    ///     request.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Provides the evaluators of servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Receive every event.
    public convenience init(
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
        eventMonitors: [any EventMonitor] = [AlamofireNotifications()]
    ) {
        self.init(
            transport: SocketTransport(configuration: .init(configuration)),
            configuration: configuration,
            delegate: delegate,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestSetup: requestSetup,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors
        )
    }

    /// Creates a session with the configuration of a handle, on its own transport.
    ///
    /// The handle sends nothing: it identifies the session to monitors and provides the configuration.
    ///
    /// - Parameters:
    ///   - session: The handle.
    ///   - delegate: Receives the events of tasks, if it is a subclass of ``SessionDelegate``.
    ///   - rootQueue: The queue of `withAllRequests` and `cancelAllRequests`.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted.
    ///   - serializationQueue: The queue on which responses are serialized.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Provides the evaluators of servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Receive every event.
    public convenience init(
        session: URLSession,
        delegate: SessionDelegate,
        rootQueue: DispatchQueue,
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
        NetworkCost.watched
        let configuration = session.configuration
        self.init(
            composed: Self.standardLayers(
                over: SocketTransport(configuration: .init(configuration)),
                configuration: configuration,
                eventMonitors: eventMonitors
            ),
            configuration: configuration,
            delegate: delegate,
            rootQueue: rootQueue,
            startRequestsImmediately: startRequestsImmediately,
            requestSetup: requestSetup,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler,
            eventMonitors: eventMonitors,
            session: session
        )
    }
}

extension SocketTransport.Configuration {
    /// Creates the transport's configuration from a session's.
    fileprivate init(_ configuration: URLSessionConfiguration) {
        self.init()
        let limit = configuration.httpMaximumConnectionsPerHost
        if limit > 0, limit < .max { maximumConnectionsPerHost = limit }
    }
}
