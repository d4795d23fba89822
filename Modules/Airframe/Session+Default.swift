internal import AirframeConnectivity
public import AirframeCore
internal import AirframeCurl
internal import AirframeTransport
public import Dispatch
internal import Foundation

extension Session {
    /// The session behind ``AF``.
    public static let `default` = Session()

    /// Makes a session on a transport of its own, libcurl's, with the ``standardLayers(over:configuration:)`` around
    /// it.
    ///
    /// - Parameters:
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
            transport: Self.connected(CurlTransport(configuration: .init(configuration)), by: configuration),
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

extension Session {
    /// `transport`, with the layer that waits for a network where the configuration wants that.
    fileprivate static func connected(
        _ transport: any Transport,
        by configuration: URLSessionConfiguration
    ) -> any Transport {
        let options = configuration.exchangeOptions
        return options.waitsForConnectivity == true ? ConnectivityLayer(transport) : transport
    }
}

extension CurlTransport.Configuration {
    /// What a session's configuration says to its transport.
    fileprivate init(_ configuration: URLSessionConfiguration) {
        self.init()
        let limit = configuration.httpMaximumConnectionsPerHost
        if limit > 0, limit < .max { maximumConnectionsPerHost = limit }
    }
}
