internal import AirframeLayers
public import AirframeTransport
public import Dispatch
internal import Foundation

extension Session {
    /// Creates a session on a transport.
    ///
    /// With AirframeCore alone the session adds redirects, HSTS and the layers of its monitors
    /// (``AccompanyingMonitor``), in the order of ``LayerStack/order``. The umbrella, Airframe, has an initializer with
    /// the same labels that adds its standard layers too; the compiler prefers it where both are visible.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - configuration: Headers, timeouts and options. The session copies it.
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
    @_disfavoredOverload
    public convenience init(
        transport: any Transport,
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
        self.init(
            composed: LayerStack(configuration, monitors: eventMonitors).transport(over: transport),
            configuration: configuration,
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
}
