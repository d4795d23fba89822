/// The options of a request. `nil` leaves an option to the session and finally to the engine's default.
///
/// A session's options, a request's and an interceptor's are merged in this order with ``merging(_:)``. An option that
/// the engine lacks fails the request; none is ignored.
///
/// A copy costs one retain, and empty options none: every request has options, and few set any.
public struct TransportOptions: Sendable {
    /// The values that are set; `nil` if none is.
    private var settings: Settings?

    /// Creates empty options.
    public init() {}

    /// The maximum duration of the whole exchange, from ``Transport/send(_:)`` to the last byte of the body. With a
    /// zero or negative value the request fails with ``TransportError/Code/timedOut`` before it is sent.
    public var deadline: Duration? {
        get { settings?.values.deadline }
        set { change { $0.deadline = newValue } }
    }

    /// The limits of the phases.
    public var limits: PhaseLimits {
        get { settings?.values.limits ?? PhaseLimits() }
        set { change { $0.limits = newValue } }
    }

    /// The versions of HTTP to use.
    public var httpVersion: HTTPVersionPolicy? {
        get { settings?.values.httpVersion }
        set { change { $0.httpVersion = newValue } }
    }

    /// The choice of a proxy.
    public var proxy: ProxyPolicy? {
        get { settings?.values.proxy }
        set { change { $0.proxy = newValue } }
    }

    /// The options of TLS.
    public var tls: TLSOptions {
        get { settings?.values.tls ?? TLSOptions() }
        set { change { $0.tls = newValue } }
    }

    /// The kernel's settings of connections.
    public var socket: SocketSettings {
        get { settings?.values.socket ?? SocketSettings() }
        set { change { $0.socket = newValue } }
    }

    /// Addresses to use in place of name resolution.
    public var resolveOverrides: [ResolveOverride]? {
        get { settings?.values.resolveOverrides }
        set { change { $0.resolveOverrides = newValue } }
    }

    /// The local IP address to connect from, in addition to a ``networkInterface``.
    public var localAddress: String? {
        get { settings?.values.localAddress }
        set { change { $0.localAddress = newValue } }
    }

    /// The network interface to connect from, such as `eth0`.
    public var networkInterface: String? {
        get { settings?.values.networkInterface }
        set { change { $0.networkInterface = newValue } }
    }

    /// The path of a Unix domain socket to connect to. Host and port of the request then only appear in its header.
    public var unixSocketPath: String? {
        get { settings?.values.unixSocketPath }
        set { change { $0.unixSocketPath = newValue } }
    }

    /// The priority of the request (RFC 9218).
    public var priority: RequestPriority? {
        get { settings?.values.priority }
        set { change { $0.priority = newValue } }
    }

    /// Whether to ask the server for permission before sending a body (RFC 9110 §10.1.1).
    public var expectContinue: ExpectContinuePolicy? {
        get { settings?.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }

    /// Whether to wait while there is no network path to the server, instead of failing. Engines do not support this; a
    /// layer that monitors the network removes the option and sends the request when there is a path. The deadline
    /// keeps running.
    public var waitsForConnectivity: Bool? {
        get { settings?.values.waitsForConnectivity }
        set { change { $0.waitsForConnectivity = newValue } }
    }

    /// Whether both are copies of the same options, neither changed since. Options that are not may still be equal.
    package func isIdentical(to other: TransportOptions) -> Bool { settings === other.settings }

    /// The handshake that authenticates the connection to one origin: Negotiate or NTLM.
    public var connectionAuthentication: ConnectionAuthentication? {
        get { settings?.values.connectionAuthentication }
        set { change { $0.connectionAuthentication = newValue } }
    }

    /// Whether there is neither a deadline nor a limit.
    package var leavesTimeOpen: Bool { settings?.leavesTimeOpen ?? true }

    /// The message for a deadline or limit that is zero or negative; `nil` if there is none.
    package var elapsedLimit: String? { settings?.elapsedLimit }

    /// Whether the environment chooses the proxy, and HTTP/1.1 is allowed.
    package var leavesRouteOpen: Bool { settings?.leavesRouteOpen ?? true }

    /// The traits of a request with these options.
    var traits: RequestTraits { settings?.traits ?? RequestTraits() }

    /// Whether no option changes the request's head.
    package var leavesHeadOpen: Bool { settings?.leavesHeadOpen ?? true }

    /// The features that a transport needs for the options that are set.
    public var requiredFeatures: TransportFeatures { settings?.requiredFeatures ?? [] }

    /// Whether only origin and proxy determine the endpoints of a connection.
    package var leavesPlaceOpen: Bool { settings?.leavesPlaceOpen ?? true }

    /// Returns these options, replaced by those that are set in `overrides`.
    public func merging(_ overrides: TransportOptions) -> TransportOptions {
        guard let own = settings else { return overrides }
        guard let other = overrides.settings, other !== own else { return self }
        var merged = self
        merged.settings = Settings(own.values.merging(other.values))
        return merged
    }

    private mutating func change(_ body: (inout Values) -> Void) {
        var values = settings?.values ?? Values()
        body(&values)
        settings = values == Values() ? nil : Settings(values)
    }

    /// Immutable, because copies share it. A change creates another instance.
    private final class Settings: Sendable {
        let values: Values
        /// Computed once, because every request needs it.
        let requiredFeatures: TransportFeatures
        let leavesPlaceOpen: Bool
        let leavesTimeOpen: Bool
        let elapsedLimit: String?
        let leavesRouteOpen: Bool
        let leavesHeadOpen: Bool
        let traits: RequestTraits

        init(_ values: Values) {
            self.values = values
            requiredFeatures = values.requiredFeatures
            leavesPlaceOpen =
                values.resolveOverrides == nil && values.localAddress == nil && values.networkInterface == nil
                && values.unixSocketPath == nil && values.socket == SocketSettings()
            leavesTimeOpen = values.deadline == nil && values.limits == PhaseLimits()
            elapsedLimit = leavesTimeOpen ? nil : values.elapsedLimit
            leavesRouteOpen =
                (values.proxy == nil || values.proxy == .environment) && values.unixSocketPath == nil
                && (values.httpVersion == nil || values.httpVersion == .automatic || values.httpVersion == .http1Only)
            leavesHeadOpen = values.priority == nil && values.expectContinue == nil
            var traits = RequestTraits()
            traits.hasOptions = true
            traits.limitsTime = !leavesTimeOpen
            traits.choosesRoute = !leavesRouteOpen
            traits.changesHead = !leavesHeadOpen
            traits.choosesPlace = !leavesPlaceOpen
            traits.choosesVersion = values.httpVersion != nil && values.httpVersion != .automatic
            self.traits = traits
        }
    }

    private struct Values: Sendable, Hashable {
        var deadline: Duration?
        var limits = PhaseLimits()
        var httpVersion: HTTPVersionPolicy?
        var proxy: ProxyPolicy?
        var tls = TLSOptions()
        var socket = SocketSettings()
        var resolveOverrides: [ResolveOverride]?
        var localAddress: String?
        var networkInterface: String?
        var unixSocketPath: String?
        var priority: RequestPriority?
        var expectContinue: ExpectContinuePolicy?
        var waitsForConnectivity: Bool?
        var connectionAuthentication: ConnectionAuthentication?

        func merging(_ overrides: Values) -> Values {
            var merged = self
            merged.deadline = overrides.deadline ?? deadline
            merged.limits = limits.merging(overrides.limits)
            merged.httpVersion = overrides.httpVersion ?? httpVersion
            merged.proxy = overrides.proxy ?? proxy
            merged.tls = tls.merging(overrides.tls)
            merged.socket = socket.merging(overrides.socket)
            merged.resolveOverrides = overrides.resolveOverrides ?? resolveOverrides
            merged.localAddress = overrides.localAddress ?? localAddress
            merged.networkInterface = overrides.networkInterface ?? networkInterface
            merged.unixSocketPath = overrides.unixSocketPath ?? unixSocketPath
            merged.priority = overrides.priority ?? priority
            merged.expectContinue = overrides.expectContinue ?? expectContinue
            merged.waitsForConnectivity = overrides.waitsForConnectivity ?? waitsForConnectivity
            merged.connectionAuthentication = overrides.connectionAuthentication ?? connectionAuthentication
            return merged
        }

        var elapsedLimit: String? {
            if let deadline, deadline <= .zero { return "deadline of \(deadline)" }
            return limits.elapsed
        }

        var requiredFeatures: TransportFeatures {
            var required = limits.requiredFeatures.union(tls.requiredFeatures).union(socket.requiredFeatures)
            if deadline != nil { required.insert(.deadline) }
            if let httpVersion { required.formUnion(httpVersion.requiredFeatures) }
            if let proxy { required.formUnion(proxy.requiredFeatures) }
            if resolveOverrides?.isEmpty == false { required.insert(.resolveOverrides) }
            if localAddress != nil { required.insert(.localAddress) }
            if networkInterface != nil { required.insert(.networkInterface) }
            if unixSocketPath != nil { required.insert(.unixSocket) }
            if priority != nil { required.insert(.priority) }
            if let expectContinue, expectContinue != .never { required.insert(.expectContinue) }
            if waitsForConnectivity == true { required.insert(.connectivityWait) }
            if connectionAuthentication != nil { required.insert(.connectionAuthentication) }
            return required
        }
    }
}

extension TransportOptions: Hashable {
    /// Returns whether both set the same values.
    public static func == (left: TransportOptions, right: TransportOptions) -> Bool {
        left.settings === right.settings || left.settings?.values == right.settings?.values
    }

    /// Hashes the values that are set.
    public func hash(into hasher: inout Hasher) { hasher.combine(settings?.values) }
}

extension TransportOptions: CustomReflectable {
    /// The values that are set, without secrets.
    public var customMirror: Mirror {
        Mirror(self, children: Mirror(reflecting: settings?.values ?? Values()).children, displayStyle: .struct)
    }
}

/// The maximum durations of the phases of an exchange. `nil` sets no limit. With a zero or negative value the request
/// fails with ``TransportError/Code/timedOut`` before it is sent.
public struct PhaseLimits: Sendable, Hashable {
    /// Waiting for a free connection.
    public var pool: Duration?
    /// Name resolution, connecting and the handshake with a proxy.
    public var connect: Duration?
    /// The TLS handshake, with the evaluation of trust.
    public var tls: Duration?
    /// A pause in which the peer accepts no byte of the request.
    public var writeIdle: Duration?
    /// From the end of the request to the first byte of the response. An informational response (RFC 9110 §15.2) after
    /// the request starts it anew; one that arrives earlier has no effect.
    public var firstByte: Duration?
    /// A pause within the response in which no byte arrives, measured once the request is sent and while the caller
    /// waits for bytes.
    public var readIdle: Duration?

    /// Creates limits; each is `nil` by default.
    ///
    /// - Parameters:
    ///   - pool: The maximum wait for a free connection.
    ///   - connect: The maximum duration of name resolution, connecting and the handshake with a proxy.
    ///   - tls: The maximum duration of the TLS handshake, with the evaluation of trust.
    ///   - writeIdle: The maximum pause in which the peer accepts no byte of the request.
    ///   - firstByte: The maximum time from the end of the request to the first byte of the response.
    ///   - readIdle: The maximum pause within the response in which no byte arrives.
    public init(
        pool: Duration? = nil,
        connect: Duration? = nil,
        tls: Duration? = nil,
        writeIdle: Duration? = nil,
        firstByte: Duration? = nil,
        readIdle: Duration? = nil
    ) {
        self.pool = pool
        self.connect = connect
        self.tls = tls
        self.writeIdle = writeIdle
        self.firstByte = firstByte
        self.readIdle = readIdle
    }

    /// Returns these limits, replaced by those that are set in `overrides`.
    public func merging(_ overrides: PhaseLimits) -> PhaseLimits {
        PhaseLimits(
            pool: overrides.pool ?? pool,
            connect: overrides.connect ?? connect,
            tls: overrides.tls ?? tls,
            writeIdle: overrides.writeIdle ?? writeIdle,
            firstByte: overrides.firstByte ?? firstByte,
            readIdle: overrides.readIdle ?? readIdle
        )
    }

    /// The message for the first limit that is zero or negative.
    var elapsed: String? {
        let all = [
            ("waiting for a connection", pool), ("connecting", connect), ("the TLS handshake", tls),
            ("idle writing", writeIdle), ("the first byte", firstByte), ("idle reading", readIdle),
        ]
        for case (let name, let limit?) in all where limit <= .zero { return "limit of \(limit) on \(name)" }
        return nil
    }

    var requiredFeatures: TransportFeatures {
        var required: TransportFeatures = []
        if pool != nil { required.insert(.poolLimit) }
        if connect != nil { required.insert(.connectLimit) }
        if tls != nil { required.insert(.tlsLimit) }
        if writeIdle != nil { required.insert(.writeIdleLimit) }
        if firstByte != nil { required.insert(.firstByteLimit) }
        if readIdle != nil { required.insert(.readIdleLimit) }
        return required
    }
}

/// The versions of HTTP to use.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// The best version that both sides support: HTTP/2 over TLS if ALPN selects it, HTTP/1.1 otherwise.
    case automatic
    /// HTTP/1.1 only.
    case http1Only
    /// HTTP/2 only. The request fails if the server does not select it by ALPN.
    case http2Only
    /// HTTP/2 without negotiation, also in the clear (RFC 9113 §3.3).
    case http2PriorKnowledge

    var requiredFeatures: TransportFeatures {
        switch self {
        case .automatic: []
        case .http1Only: .http1
        case .http2Only: .http2
        case .http2PriorKnowledge: .http2PriorKnowledge
        }
    }
}

/// The addresses to use for a host instead of name resolution.
public struct ResolveOverride: Sendable, Hashable {
    /// The host, as in the URL.
    public var host: String
    /// The port.
    public var port: Int
    /// The IP addresses to try, in order, without brackets. Others are skipped. If none is left, requests for the host
    /// fail with ``TransportError/Code/nameResolutionFailed``.
    public var addresses: [String]

    /// Creates an override.
    ///
    /// - Parameters:
    ///   - host: The host, as in the URL.
    ///   - port: The port.
    ///   - addresses: The IP addresses to try, in order, without brackets; at least one.
    public init(host: String, port: Int, addresses: [String]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}

/// The priority of a request (RFC 9218 §4).
public struct RequestPriority: Sendable, Hashable {
    /// The urgency from 0, the most urgent, to 7. Other values are clamped to this range.
    public var urgency: Int {
        didSet { urgency = Self.bounded(urgency) }
    }
    /// Whether the client can process parts of the response before its end.
    public var isIncremental: Bool

    /// Creates a priority; `urgency` is clamped to 0…7.
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = Self.bounded(urgency)
        self.isIncremental = isIncremental
    }

    private static func bounded(_ urgency: Int) -> Int { min(max(urgency, 0), 7) }

    /// The value of the `priority` field and of PRIORITY_UPDATE frames (RFC 9218 §4).
    package var fieldValue: String { isIncremental ? "u=\(urgency), i" : "u=\(urgency)" }
}

/// When to send `Expect: 100-continue` and wait for the server's response before the body (RFC 9110 §10.1.1).
public enum ExpectContinuePolicy: Sendable, Hashable {
    /// Never.
    case never
    /// For every request with a body; without an answer the body is sent after `wait`.
    case always(wait: Duration)
}
