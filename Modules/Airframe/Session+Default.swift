public import AirframeCore
internal import AirframeSocket
public import Dispatch
internal import Foundation

extension Session {
    /// The session behind ``AF``.
    public static let `default` = Session()

    /// Makes a session on an engine of its own over sockets, with the
    /// ``standardLayers(over:configuration:eventMonitors:)`` around it.
    ///
    /// - Parameters:
    ///   - configuration: Headers, timeouts and options. The session takes a copy.
    ///   - delegate: Called where things happen to tasks, if it is a subclass of ``SessionDelegate``.
    ///   - rootQueue: Where callbacks run that name no queue of their own.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted. `nil` makes them wherever the request
    ///     runs.
    ///   - serializationQueue: The queue on which responses are serialized. `nil` serializes wherever the request
    ///     runs.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Says who decides on servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Told of everything that happens.
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

    /// Makes a session with the configuration of a handle that was made by hand, on a transport of its own.
    ///
    /// The handle sends nothing: it is what monitors know the session by, and where the configuration comes from.
    ///
    /// - Parameters:
    ///   - session: The handle.
    ///   - delegate: Called where things happen to tasks, if it is a subclass of ``SessionDelegate``.
    ///   - rootQueue: Where callbacks run that name no queue of their own.
    ///   - startRequestsImmediately: Whether a request starts when its first handler is added.
    ///   - requestSetup: When a request's `URLRequest` is made.
    ///   - requestQueue: The queue on which `URLRequest`s are made and adapted.
    ///   - serializationQueue: The queue on which responses are serialized.
    ///   - interceptor: Adapts and retries every request.
    ///   - serverTrustManager: Says who decides on servers' certificates.
    ///   - redirectHandler: Decides on redirects.
    ///   - cachedResponseHandler: Decides on caching.
    ///   - eventMonitors: Told of everything that happens.
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
    /// What a session's configuration says to its transport.
    fileprivate init(_ configuration: URLSessionConfiguration) {
        self.init()
        let limit = configuration.httpMaximumConnectionsPerHost
        if limit > 0, limit < .max { maximumConnectionsPerHost = limit }
    }
}
