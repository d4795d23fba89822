package import AirframeTransport
package import Dispatch
internal import Foundation
package import HTTPTypes

/// What all requests of a session share, settled when the session is made.
///
/// Requests hold the context and not the session, so that a session that nobody holds any more can go.
package final class SessionContext: Sendable {
    package let transport: any Transport
    package let configuration: URLSessionConfiguration
    /// The fields that every request gets unless it sets them itself.
    package let defaultFields: HTTPFields
    /// A field of the configuration that HTTP does not allow. It fails every request: a field that the user counts on
    /// must not go missing.
    package let invalidDefaultField: InvalidHeaderFieldError?
    /// The options that a request's own are merged into.
    package let options: TransportOptions
    /// The proxy for requests in the clear, where the configuration tells the schemes apart.
    package let clearProxy: ProxyPolicy?
    /// The limits that a request's own timeout replaces, for the phases that the transport can limit.
    package let idleLimit: Duration?
    package let security: (any OriginSecurity)?
    package let monitor: CompositeEventMonitor?
    /// Whether requests post notifications. Not one of the monitors: then a request without any would pay for it.
    package let postsNotifications: Bool
    package let redirectHandler: (any RedirectHandler)?
    package let cachedResponseHandler: (any CachedResponseHandler)?
    package let rootQueue: DispatchQueue
    /// The queue that the user named for making requests; work runs where it is when there is none.
    package let requestQueue: DispatchQueue?
    /// The queue that the user named for serialization; work runs where it is when there is none.
    package let serializationQueue: DispatchQueue?
    package let startRequestsImmediately: Bool

    package init(
        transport: any Transport,
        configuration: URLSessionConfiguration,
        rootQueue: DispatchQueue,
        startRequestsImmediately: Bool,
        requestQueue: DispatchQueue?,
        serializationQueue: DispatchQueue?,
        security: (any OriginSecurity)?,
        redirectHandler: (any RedirectHandler)?,
        cachedResponseHandler: (any CachedResponseHandler)?,
        eventMonitors: [any EventMonitor]
    ) {
        self.transport = transport
        self.configuration = configuration
        self.rootQueue = rootQueue
        self.startRequestsImmediately = startRequestsImmediately
        self.requestQueue = requestQueue
        self.serializationQueue = serializationQueue
        self.security = SessionSecurity(evaluations: security, identity: configuration.clientIdentity)
        self.redirectHandler = redirectHandler
        self.cachedResponseHandler = cachedResponseHandler
        let monitors = eventMonitors.filter { !($0 is AlamofireNotifications) }
        monitor = monitors.isEmpty ? nil : CompositeEventMonitor(monitors: monitors)
        postsNotifications = monitors.count < eventMonitors.count
        defaultFields = Self.defaultFields(configuration, for: transport.capabilities)
        invalidDefaultField = configuration.headers.makeFields().invalid.first?.invalidity
        options = configuration.exchangeOptions
        clearProxy = configuration.proxyPolicy(forScheme: "http")
        idleLimit = Duration.limit(seconds: configuration.timeoutIntervalForRequest)
    }

    /// The configuration's fields; the content codings among them are those that the transport decodes, unless the
    /// user asked for others.
    private static func defaultFields(
        _ configuration: URLSessionConfiguration,
        for capabilities: TransportCapabilities
    ) -> HTTPFields {
        var fields = configuration.headers.fields
        guard fields[.acceptEncoding] == HTTPHeader.defaultAcceptEncoding.value else { return fields }
        let codings = capabilities.contentCodings
        fields[.acceptEncoding] = codings.isEmpty ? nil : codings.qualityEncoded()
        return fields
    }

    /// The options for `request`: the session's, the limits of its timeout, its own.
    package func options(for request: URLRequest) -> TransportOptions {
        let limit = request.hasOwnTimeout ? Duration.limit(seconds: request.timeoutInterval) : idleLimit
        var limits = PhaseLimits()
        if let limit {
            let features = transport.capabilities.features
            // A transport that cannot limit a phase is not refused for a limit that nobody asked for by name.
            if features.contains(.connectLimit) { limits.connect = limit }
            if features.contains(.tlsLimit) { limits.tls = limit }
            if features.contains(.writeIdleLimit) { limits.writeIdle = limit }
            if features.contains(.firstByteLimit) { limits.firstByte = limit }
            if features.contains(.readIdleLimit) { limits.readIdle = limit }
        }
        var merged = options
        merged.limits = limits.merging(options.limits)
        if let clearProxy, request.url?.scheme == "http" { merged.proxy = clearProxy }
        return merged.merging(request.transportOptions)
    }
}

/// A session's rules on trust, with the identity of its configuration.
private struct SessionSecurity: OriginSecurity {
    let evaluations: (any OriginSecurity)?
    let identity: ClientIdentity?

    init?(evaluations: (any OriginSecurity)?, identity: ClientIdentity?) {
        guard evaluations != nil || identity != nil else { return nil }
        self.evaluations = evaluations
        self.identity = identity
    }

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        origin.isSecure ? try evaluations?.trust(for: origin) : nil
    }

    func identity(for origin: Origin) -> ClientIdentity? {
        guard origin.isSecure else { return nil }
        return evaluations?.identity(for: origin) ?? identity
    }
}
