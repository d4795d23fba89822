internal import AirframeAuthentication
internal import AirframeCompression
internal import AirframeConnectivity
internal import AirframeCookies
public import AirframeCore
internal import AirframeLayers
public import AirframeTransport
public import Dispatch
internal import Foundation

extension Session {
    /// Returns `transport` with the standard layers of this module around it, in the order of ``LayerStack/order``.
    /// Features that the transport has already are not added again.
    ///
    /// - Parameters:
    ///   - transport: An engine, or an engine with your own layers.
    ///   - configuration: The settings of redirects, HSTS, cookies, the cache and the wait for connectivity, and the
    ///     changes to the layers.
    ///   - eventMonitors: The monitors of the session, some of which have a layer.
    public static func standardLayers(
        over transport: any Transport,
        configuration: URLSessionConfiguration = .default,
        eventMonitors: [any EventMonitor] = []
    ) -> any Transport {
        var layers = LayerStack(configuration, monitors: eventMonitors)
        layers.provide(.authentication) {
            $0.capabilities.authenticationSchemes.isEmpty ? AuthenticationLayer($0) : $0
        }
        if let storage = configuration.httpCookieStorage {
            let (sendsCookies, policy) = (configuration.httpShouldSetCookies, configuration.httpCookieAcceptPolicy)
            layers.provide(.cookies) {
                CookieLayer.isAround($0)
                    ? $0 : CookieLayer($0, storage: storage, sendsCookies: sendsCookies, acceptPolicy: policy)
            }
        }
        layers.provide(.contentDecoding) { $0.capabilities.contentCodings.isEmpty ? ContentDecodingLayer($0) : $0 }
        layers.provide(.cache) { caching($0, configuration) }
        if configuration.exchangeOptions.waitsForConnectivity == true {
            layers.provide(.connectivity) {
                $0.capabilities.features.contains(.connectivityWait) ? $0 : ConnectivityLayer($0)
            }
        }
        return layers.transport(over: transport)
    }

    /// Creates a session on a transport, with the ``standardLayers(over:configuration:eventMonitors:)`` around it.
    ///
    /// With AirframeCore alone the initializer with the same labels adds redirects and HSTS only, because Core depends
    /// on no library that decodes content or answers Digest. `init(composed:)`, which subclasses call, adds no layer.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends requests.
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
        transport: any Transport,
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
        NetworkCost.watched
        self.init(
            composed: Self.standardLayers(
                over: transport,
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
            eventMonitors: eventMonitors
        )
    }
}
