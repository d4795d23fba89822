internal import AirframeLayers
package import AirframeTransport
package import Dispatch
internal import Foundation
package import HTTPTypes
internal import Synchronization

/// The settings that all requests of a session share, fixed when the session is created.
///
/// Requests retain the context and not the session, so that a session can be released while requests are in flight.
package final class SessionContext: Sendable {
    package let transport: any Transport
    /// The layers of ``transport``, if they can be asked whether they have work.
    let layers: LayerRun?
    /// The transport's clock, stored because each layer reads that of the one beneath it.
    package let clock: any TransportClock
    /// The handle that identifies the session to monitors.
    package let urlSession: URLSession
    package let configuration: URLSessionConfiguration
    /// The fields that every request gets unless it sets them itself.
    package let defaultFields: HTTPFields
    /// ``defaultFields`` and `Accept: */*`, which URLSession sends too if neither the request nor the configuration has
    /// the field: firewalls reject requests without one. Made once, so that a plain request copies one field more.
    private let sentFields: HTTPFields
    /// A field of the configuration that HTTP does not allow. It fails every request, because a field that the user
    /// relies on must not be dropped silently.
    package let invalidDefaultField: InvalidHeaderFieldError?
    /// The options that a request's own are merged into.
    package let options: TransportOptions
    private let sharedCachePolicy: URLRequest.CachePolicy
    /// The options with the limits of the session's own timeout. Requests without options of their own share them.
    private let plainOptions: TransportOptions
    /// Whether the session has an interceptor.
    package let isAdapting: Bool
    /// Whether the engine suspends an upload while its request is suspended.
    let suspendsUploads: Bool
    /// Whether the engine changes the priority of requests in flight.
    let updatesPriorities: Bool
    /// The maximum duration of all attempts of a request together.
    let allAttemptsLimit: Duration?
    /// The limits on bodies that are buffered in memory.
    let bufferLimits: BufferLimits
    /// The URL that relative URLs are resolved against, or the reason why the configured one is invalid.
    let baseURL: Result<BaseURL, BaseURLError>?
    /// The interceptors of all responses.
    let responseInterceptors: [any ResponseInterceptor]
    /// The rates of all transfers; `nil` if none is set.
    let transferRates: TransferRates?
    /// The fields that must not be sent to other origins.
    let secrets: RedactionPolicy
    /// The credentials of requests without one of their own.
    let credentialStorage: URLCredentialStorage?
    /// Whether a layer answers servers' challenges.
    let answersChallenges: Bool
    /// Whether `file:` and `data:` URLs are answered.
    let allowsLocalURLs: Bool
    package let security: (any OriginSecurity)?
    /// The identity for a request's first origin if ``security`` has none. Redirects to other origins do not use it.
    package let clientIdentity: ClientIdentity?
    private let hasSharedSecurity: Bool
    package let monitor: CompositeEventMonitor?
    /// Whether requests post notifications. Not a monitor, so that a session without monitors sends no events.
    package let postsNotifications: Bool
    package let redirectHandler: (any RedirectHandler)?
    /// Whether there is a redirect handler.
    let hasRedirectHandler: Bool
    /// Whether there is a handler that decides on caching.
    let hasCachedResponseHandler: Bool
    /// Whether the user has set a cache, which then stores stale responses too.
    let hasChosenURLCache: Bool
    /// The heads of requests without fields of their own.
    let plainHeads = PlainHeads()
    package let cachedResponseHandler: (any CachedResponseHandler)?
    package let rootQueue: DispatchQueue
    /// The user's queue for making requests; `nil` to make them on the thread of the request.
    package let requestQueue: DispatchQueue?
    /// The user's queue for serialization; `nil` to serialize on the thread of the request.
    package let serializationQueue: DispatchQueue?
    package let startRequestsImmediately: Bool
    /// The requests that have not finished.
    package let activeRequests = ActiveRequests()
    /// The completion handlers that are on their way to their queues.
    let handlerOutbox = HandlerOutbox()
    // Guards the session, which requests must not retain.
    private let owner = Mutex(Owner())

    private struct Owner {
        weak var session: Session?
    }

    package init(
        urlSession: URLSession,
        transport: any Transport,
        configuration: URLSessionConfiguration,
        rootQueue: DispatchQueue,
        startRequestsImmediately: Bool,
        requestQueue: DispatchQueue?,
        serializationQueue: DispatchQueue?,
        interceptor: (any RequestInterceptor)?,
        security: (any OriginSecurity)?,
        redirectHandler: (any RedirectHandler)?,
        cachedResponseHandler: (any CachedResponseHandler)?,
        eventMonitors: [any EventMonitor]
    ) {
        self.transport = transport
        layers = transport as? LayerRun
        clock = transport.clock
        self.urlSession = urlSession
        self.configuration = configuration
        self.rootQueue = rootQueue
        self.startRequestsImmediately = startRequestsImmediately
        self.requestQueue = requestQueue
        self.serializationQueue = serializationQueue
        isAdapting = interceptor != nil
        allAttemptsLimit = configuration.timeoutIntervalForAllAttempts.flatMap(Duration.limit(seconds:))
        bufferLimits = BufferLimits(configuration)
        baseURL = configuration.baseURL.map { url in
            Result { () throws(BaseURLError) in try BaseURL(url) }
        }
        responseInterceptors = configuration.responseInterceptors
        let rates = configuration.transferRates
        transferRates = rates == TransferRates() ? nil : rates
        secrets = configuration.redirectRules.secrets
        credentialStorage = configuration.urlCredentialStorage
        allowsLocalURLs = configuration.allowsLocalURLs
        self.security = security
        clientIdentity = configuration.clientIdentity
        hasSharedSecurity = security != nil || configuration.clientIdentity != nil
        self.redirectHandler = redirectHandler
        hasRedirectHandler = redirectHandler != nil
        self.cachedResponseHandler = cachedResponseHandler
        hasCachedResponseHandler = cachedResponseHandler != nil
        hasChosenURLCache = configuration.hasChosenURLCache
        let monitors = eventMonitors.filter { !($0 is AlamofireNotifications) }
        monitor = monitors.isEmpty ? nil : CompositeEventMonitor(monitors: monitors)
        postsNotifications = monitors.count < eventMonitors.count
        defaultFields = Self.defaultFields(configuration, for: transport.capabilities)
        sentFields = Self.sentFields(defaultFields, sendsAccept: configuration.sendsAccept)
        invalidDefaultField = configuration.headers.makeFields().invalid.first?.invalidity
        options = configuration.exchangeOptions
        answersChallenges = !transport.capabilities.authenticationSchemes.isEmpty
        suspendsUploads = transport.capabilities.features.contains(.uploadSuspension)
        updatesPriorities = transport.capabilities.features.contains(.priorityUpdates)
        sharedCachePolicy = configuration.requestCachePolicy
        plainOptions = Self.limited(options, to: configuration.requestTimeout, on: transport)
    }

    /// The session, until it is released.
    var session: Session? { owner.withLock { $0.session } }

    /// Sets the session of this context.
    func adopt(_ session: Session) { owner.withLock { $0.session = session } }

    /// Returns the configuration's fields. Unless the user set content codings, they are those that the transport
    /// decodes.
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

    /// Returns `defaultFields` with `Accept: */*`, unless they have the field or it is turned off.
    private static func sentFields(_ defaultFields: HTTPFields, sendsAccept: Bool) -> HTTPFields {
        guard sendsAccept, !defaultFields.has(.accept) else { return defaultFields }
        return defaultFields + [HTTPField(name: .accept, value: "*/*")]
    }

    /// Returns the options for `request`: the session's, the limits of the request's timeout, and the request's own.
    package func options(for request: URLRequest) -> TransportOptions {
        let shared =
            request.hasOwnTimeout
            ? Self.limited(options, to: request.timeoutInterval, on: transport) : plainOptions
        return shared.merging(request.transportOptions)
    }

    /// Whether ``security(for:of:)`` may return rules for `urlRequest`.
    func hasSecurity(for urlRequest: URLRequest) -> Bool { hasSharedSecurity || urlRequest.layerValues != nil }

    /// Returns trust and identities for a request to the origin of `head`, and for its redirects.
    func security(for head: HTTPRequest, of urlRequest: URLRequest) -> (any OriginSecurity)? {
        let values = urlRequest.layerValues
        guard clientIdentity != nil || values != nil else { return security }
        let trust = values?.stored(RequestOverride.Trust.self) ?? nil
        let identity = values?.stored(RequestOverride.Identity.self) ?? nil
        guard clientIdentity != nil || trust != nil || identity != nil, let origin = Origin(head) else {
            return security
        }
        return FirstOriginSecurity(
            rules: security,
            origin: origin.overTLS,
            trust: trust,
            requestIdentity: identity,
            sessionIdentity: clientIdentity
        )
    }

    /// Returns the request's cache policy, or the session's if the request sets none.
    package func cachePolicy(for request: URLRequest) -> URLRequest.CachePolicy {
        let own = request.cachePolicy
        return own == .useProtocolCachePolicy ? sharedCachePolicy : own
    }

    /// Returns `options` with a limit on each phase for which they set none.
    private static func limited(
        _ options: TransportOptions,
        to seconds: TimeInterval,
        on transport: any Transport
    ) -> TransportOptions {
        guard let limit = Duration.limit(seconds: seconds) else { return options }
        let features = transport.capabilities.features
        var limits = PhaseLimits()
        // Only limits that the transport supports: a timeout must not be rejected for a phase that it does not name.
        if features.contains(.connectLimit) { limits.connect = limit }
        if features.contains(.tlsLimit) { limits.tls = limit }
        if features.contains(.writeIdleLimit) { limits.writeIdle = limit }
        if features.contains(.firstByteLimit) { limits.firstByte = limit }
        if features.contains(.readIdleLimit) { limits.readIdle = limit }
        var limited = options
        limited.limits = limits.merging(options.limits)
        return limited
    }

    /// Returns the request's fields and the session's fields that the request does not set.
    ///
    /// Requests that set none share one array.
    ///
    /// - Parameters:
    ///   - own: The request's fields.
    ///   - sendsAccept: Whether a request without `Accept` gets `*/*`.
    package func fields(with own: HTTPFields, sendsAccept: Bool = true) -> HTTPFields {
        let shared = sendsAccept ? sentFields : defaultFields
        guard !own.isEmpty else { return shared }
        let missing = shared.filter { !own.contains($0.name) }
        return missing.isEmpty ? own : own + missing
    }
}
