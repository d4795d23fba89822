internal import AirframeLayers
package import AirframeTransport
package import Dispatch
internal import Foundation
package import HTTPTypes
internal import Synchronization

/// What all requests of a session share, settled when the session is made.
///
/// Requests hold the context and not the session, so that a session that nobody holds any more can go.
package final class SessionContext: Sendable {
    package let transport: any Transport
    /// The transport's clock, asked once: each layer asks the one beneath it.
    package let clock: any TransportClock
    /// The handle that monitors know the session by.
    package let urlSession: URLSession
    package let configuration: URLSessionConfiguration
    /// The fields that every request gets unless it sets them itself.
    package let defaultFields: HTTPFields
    /// A field of the configuration that HTTP does not allow. It fails every request: a field that the user counts on
    /// must not go missing.
    package let invalidDefaultField: InvalidHeaderFieldError?
    /// The options that a request's own are merged into.
    package let options: TransportOptions
    private let sharedCachePolicy: URLRequest.CachePolicy
    /// The options with the limits of the session's own timeout: what a request that sets nothing is sent with, made
    /// once.
    private let plainOptions: TransportOptions
    /// Whether the session adapts and retries its requests.
    package let isAdapting: Bool
    /// Whether the engine holds an upload while its request is suspended.
    let suspendsUploads: Bool
    /// Whether the engine changes the priority of requests in flight.
    let updatesPriorities: Bool
    /// The longest that all attempts of a request may take together.
    let allAttemptsLimit: Duration?
    /// The limits on bodies that are kept in memory.
    let bufferLimits: BufferLimits
    /// The URL that relative URLs are joined to, or why there is none.
    let baseURL: Result<BaseURL, BaseURLError>?
    /// The interceptors of all responses.
    let responseInterceptors: [any ResponseInterceptor]
    /// The rates of all transfers; `nil` where none is set.
    let transferRates: TransferRates?
    /// The fields that must not be sent to an origin that they are not meant for.
    let secrets: RedactionPolicy
    /// The credentials for requests without one of their own.
    let credentialStorage: URLCredentialStorage?
    /// Whether a layer answers the challenges of servers.
    let answersChallenges: Bool
    /// Whether `file:` and `data:` URLs are answered.
    let allowsLocalURLs: Bool
    package let security: (any OriginSecurity)?
    /// The identity for the origin that a request names, where ``security`` has none. A redirect leaves it behind.
    package let clientIdentity: ClientIdentity?
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
    /// The requests that have not finished.
    package let activeRequests = ActiveRequests()
    // Here and not in each request: a weak reference costs more than the request's other properties together.
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
        self.redirectHandler = redirectHandler
        self.cachedResponseHandler = cachedResponseHandler
        let monitors = eventMonitors.filter { !($0 is AlamofireNotifications) }
        monitor = monitors.isEmpty ? nil : CompositeEventMonitor(monitors: monitors)
        postsNotifications = monitors.count < eventMonitors.count
        defaultFields = Self.defaultFields(configuration, for: transport.capabilities)
        invalidDefaultField = configuration.headers.makeFields().invalid.first?.invalidity
        options = configuration.exchangeOptions
        answersChallenges = !transport.capabilities.authenticationSchemes.isEmpty
        suspendsUploads = transport.capabilities.features.contains(.uploadSuspension)
        updatesPriorities = transport.capabilities.features.contains(.priorityUpdates)
        sharedCachePolicy = configuration.requestCachePolicy
        plainOptions = Self.limited(options, to: configuration.requestTimeout, on: transport)
    }

    /// The session, while there is one.
    var session: Session? { owner.withLock { $0.session } }

    /// Notes whose context it is.
    func adopt(_ session: Session) { owner.withLock { $0.session = session } }

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
        let shared =
            request.hasOwnTimeout
            ? Self.limited(options, to: request.timeoutInterval, on: transport) : plainOptions
        return shared.merging(request.transportOptions)
    }

    /// Trust and identities for a request to the origin of `head`, and for redirects of it.
    func security(for head: HTTPRequest, of urlRequest: URLRequest) -> (any OriginSecurity)? {
        let values = urlRequest.layerValues
        let trust = values?.stored(RequestOverride.Trust.self) ?? nil
        let identity = values?.stored(RequestOverride.Identity.self) ?? nil
        guard clientIdentity != nil || trust != nil || identity != nil, let origin = Origin(head), origin.isSecure
        else { return security }
        return FirstOriginSecurity(
            rules: security,
            origin: origin,
            trust: trust,
            requestIdentity: identity,
            sessionIdentity: clientIdentity
        )
    }

    /// The request's cache policy, or the session's where the request sets none.
    package func cachePolicy(for request: URLRequest) -> URLRequest.CachePolicy {
        let own = request.cachePolicy
        return own == .useProtocolCachePolicy ? sharedCachePolicy : own
    }

    /// `options` with a limit on each pause, where they set none.
    private static func limited(
        _ options: TransportOptions,
        to seconds: TimeInterval,
        on transport: any Transport
    ) -> TransportOptions {
        guard let limit = Duration.limit(seconds: seconds) else { return options }
        let features = transport.capabilities.features
        var limits = PhaseLimits()
        // A transport that cannot limit a phase is not refused for a limit that nobody asked for by name.
        if features.contains(.connectLimit) { limits.connect = limit }
        if features.contains(.tlsLimit) { limits.tls = limit }
        if features.contains(.writeIdleLimit) { limits.writeIdle = limit }
        if features.contains(.firstByteLimit) { limits.firstByte = limit }
        if features.contains(.readIdleLimit) { limits.readIdle = limit }
        var limited = options
        limited.limits = limits.merging(options.limits)
        return limited
    }

    /// The request's fields, and those of the session's that it does not set.
    ///
    /// Most requests set none: they all share one array.
    package func fields(with own: HTTPFields) -> HTTPFields {
        guard !own.isEmpty else { return defaultFields }
        let missing = defaultFields.filter { !own.contains($0.name) }
        return missing.isEmpty ? own : own + missing
    }
}
