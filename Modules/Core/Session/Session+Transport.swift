internal import AirframeLayers
public import AirframeTransport
public import Dispatch
internal import Foundation

extension Session {
    /// Makes a session on a transport.
    ///
    /// With AirframeCore alone the session adds redirects and HSTS, and what its monitors need
    /// (``AccompanyingMonitor``), in the order of ``LayerStack/order``. The umbrella, Airframe, has an initializer with
    /// the same labels that adds its standard layers too, and is taken wherever both can be seen.
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
