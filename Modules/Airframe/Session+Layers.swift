internal import AirframeAuthentication
internal import AirframeCompression
internal import AirframeCookies
public import AirframeCore
public import AirframeTransport
public import Dispatch
internal import Foundation

extension Session {
    /// `transport` with what a session of this module puts around it: a layer that decodes content, around that a layer
    /// that keeps cookies, and outermost a layer that answers challenges. What the transport does already is not added
    /// a second time.
    ///
    /// The layers that follow redirects and keep to HSTS are not among them: each session adds its own.
    ///
    /// - Parameters:
    ///   - transport: An engine, or an engine with layers of your own.
    ///   - configuration: What it says about cookies.
    public static func standardLayers(
        over transport: any Transport,
        configuration: URLSessionConfiguration = .default
    ) -> any Transport {
        var layered = transport
        if transport.capabilities.contentCodings.isEmpty { layered = ContentDecodingLayer(layered) }
        if let storage = configuration.httpCookieStorage, !keepsCookies(transport) {
            layered = CookieLayer(
                layered,
                storage: storage,
                sendsCookies: configuration.httpShouldSetCookies,
                acceptPolicy: configuration.httpCookieAcceptPolicy
            )
        }
        if transport.capabilities.authenticationSchemes.isEmpty { layered = AuthenticationLayer(layered) }
        return layered
    }

    /// Whether one of the layers around an engine keeps cookies.
    private static func keepsCookies(_ transport: any Transport) -> Bool {
        sequence(first: transport) { ($0 as? any TransportLayer)?.base }.contains { $0 is CookieLayer }
    }

    /// Makes a session on a transport, with the ``standardLayers(over:configuration:)`` around it, and beneath them
    /// what its monitors need (``AccompanyingMonitor``).
    ///
    /// With AirframeCore alone the initializer of the same labels adds no layer but redirects: there is no library
    /// beneath Core that could decode content or answer Digest. `init(composed:)` adds none here either, and is what
    /// subclasses call.
    ///
    /// - Parameters:
    ///   - transport: What requests go through.
    ///   - configuration: Headers, timeouts and options. The session takes a copy.
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
            composed: Self.standardLayers(
                over: Self.transport(transport, heardBy: eventMonitors),
                configuration: configuration
            ),
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
