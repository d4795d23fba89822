package import AirframeTransport
package import Dispatch
internal import Foundation

extension Session {
    /// Makes a session on a transport that has its layers already, but for redirects: for modules of the package whose
    /// own initializer has the labels of the public one.
    package convenience init(
        composed transport: any Transport,
        configuration: URLSessionConfiguration,
        rootQueue: DispatchQueue,
        startRequestsImmediately: Bool,
        requestSetup: RequestSetup,
        requestQueue: DispatchQueue?,
        serializationQueue: DispatchQueue?,
        interceptor: (any RequestInterceptor)?,
        serverTrustManager: ServerTrustManager?,
        redirectHandler: (any RedirectHandler)?,
        cachedResponseHandler: (any CachedResponseHandler)?,
        eventMonitors: [any EventMonitor]
    ) {
        self.init(
            transport: transport,
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
