/// How a request is to be sent. What is `nil` is left to the level above, and at last to the engine's default.
///
/// A session's options, a request's and an interceptor's are merged in this order with ``merging(_:)``. An option that
/// the engine lacks fails the request; none is ignored.
///
/// A copy costs one reference, and options that leave everything open cost nothing: every request carries some, and few
/// set any.
public struct TransportOptions: Sendable {
    /// What is set; `nil` while nothing is.
    private var settings: Settings?

    /// Options that leave everything open.
    public init() {}

    /// The longest that the whole exchange may take, from ``Transport/send(_:)`` to the last byte of the body. Zero and
    /// negative values have elapsed before the request starts: it fails with ``TransportError/Code/timedOut``, unsent.
    public var deadline: Duration? {
        get { settings?.values.deadline }
        set { change { $0.deadline = newValue } }
    }

    /// A limit for each phase.
    public var limits: PhaseLimits {
        get { settings?.values.limits ?? PhaseLimits() }
        set { change { $0.limits = newValue } }
    }

    /// Which version of HTTP to speak.
    public var httpVersion: HTTPVersionPolicy? {
        get { settings?.values.httpVersion }
        set { change { $0.httpVersion = newValue } }
    }

    /// Whether, and through which proxy.
    public var proxy: ProxyPolicy? {
        get { settings?.values.proxy }
        set { change { $0.proxy = newValue } }
    }

    /// How to do TLS.
    public var tls: TLSOptions {
        get { settings?.values.tls ?? TLSOptions() }
        set { change { $0.tls = newValue } }
    }

    /// What the kernel is told of connections.
    public var socket: SocketSettings {
        get { settings?.values.socket ?? SocketSettings() }
        set { change { $0.socket = newValue } }
    }

    /// Addresses to use in place of name resolution.
    public var resolveOverrides: [ResolveOverride]? {
        get { settings?.values.resolveOverrides }
        set { change { $0.resolveOverrides = newValue } }
    }

    /// The local IP address to connect from.
    public var localAddress: String? {
        get { settings?.values.localAddress }
        set { change { $0.localAddress = newValue } }
    }

    /// The network interface to connect from, such as `eth0`.
    public var networkInterface: String? {
        get { settings?.values.networkInterface }
        set { change { $0.networkInterface = newValue } }
    }

    /// The path of a unix socket to connect to; host and port of the request are for its header only.
    public var unixSocketPath: String? {
        get { settings?.values.unixSocketPath }
        set { change { $0.unixSocketPath = newValue } }
    }

    /// How urgent the request is (RFC 9218).
    public var priority: RequestPriority? {
        get { settings?.values.priority }
        set { change { $0.priority = newValue } }
    }

    /// Whether to ask the server before sending a body (RFC 9110 §10.1.1).
    public var expectContinue: ExpectContinuePolicy? {
        get { settings?.values.expectContinue }
        set { change { $0.expectContinue = newValue } }
    }

    /// Whether to wait for a way to the server, instead of failing, while there is none. No engine does; a layer that
    /// knows the network takes the option away and sends the request when there is one. The deadline goes on meanwhile.
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

    /// The deadline or limit that is zero or negative, in words; `nil` when there is none.
    package var elapsedLimit: String? { settings?.elapsedLimit }

    /// Whether the environment says by which proxy to go, and an engine of HTTP/1.1 will do.
    package var leavesRouteOpen: Bool { settings?.leavesRouteOpen ?? true }

    /// Whether the request's head is sent as it is.
    package var leavesHeadOpen: Bool { settings?.leavesHeadOpen ?? true }

    /// What a transport must be able to do to honour the options that are set.
    public var requiredFeatures: TransportFeatures { settings?.requiredFeatures ?? [] }

    /// Whether nothing but origin and proxy says where a connection leads, and from where.
    package var leavesPlaceOpen: Bool { settings?.leavesPlaceOpen ?? true }

    /// These options with what `overrides` sets in its place.
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

    /// Shared by copies; immutable, so that a change makes another.
    private final class Settings: Sendable {
        let values: Values
        /// Asked for with each request, and so found once.
        let requiredFeatures: TransportFeatures
        let leavesPlaceOpen: Bool
        let leavesTimeOpen: Bool
        let elapsedLimit: String?
        let leavesRouteOpen: Bool
        let leavesHeadOpen: Bool

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
    /// Whether both set the same.
    public static func == (left: TransportOptions, right: TransportOptions) -> Bool {
        left.settings === right.settings || left.settings?.values == right.settings?.values
    }

    /// Hashes what is set.
    public func hash(into hasher: inout Hasher) { hasher.combine(settings?.values) }
}

extension TransportOptions: CustomReflectable {
    /// What is set, property by property; secrets are hidden.
    public var customMirror: Mirror {
        Mirror(self, children: Mirror(reflecting: settings?.values ?? Values()).children, displayStyle: .struct)
    }
}

/// The longest that each phase of an exchange may take. `nil` sets no limit of its own; zero and negative values fail
/// the request before it starts, with ``TransportError/Code/timedOut``.
public struct PhaseLimits: Sendable, Hashable {
    /// Waiting for a free connection.
    public var pool: Duration?
    /// Name resolution, connecting and the proxy's part of it.
    public var connect: Duration?
    /// The TLS handshake, with the evaluation of trust.
    public var tls: Duration?
    /// A pause in which the peer takes no byte of the request.
    public var writeIdle: Duration?
    /// From the end of the request to the first byte of the response.
    public var firstByte: Duration?
    /// A pause in which no byte of the response comes, counted while the caller asks for bytes.
    public var readIdle: Duration?

    /// Sets the limits.
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

    /// These limits with what `overrides` sets in its place.
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

    /// The first limit that is zero or negative, in words.
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

/// Which version of HTTP to speak.
public enum HTTPVersionPolicy: Sendable, Hashable {
    /// The best that both sides can: HTTP/2 where ALPN offers it over TLS, HTTP/1.1 otherwise.
    case automatic
    /// HTTP/1.1 and nothing else.
    case http1Only
    /// HTTP/2; a server that does not agree to it by ALPN fails the request.
    case http2Only
    /// HTTP/2 without asking, also in the clear (RFC 9113 §3.3).
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

/// An address, or several, to use for a host instead of asking the resolver.
public struct ResolveOverride: Sendable, Hashable {
    /// The host, as it stands in the URL.
    public var host: String
    /// The port.
    public var port: Int
    /// The IP addresses to try, in order, without brackets.
    public var addresses: [String]

    /// Gives `host` and `port` its `addresses`.
    public init(host: String, port: Int, addresses: [String]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}

/// The priority of a request (RFC 9218 §4).
public struct RequestPriority: Sendable, Hashable {
    /// 0, the most urgent, to 7. Other values are brought into this range.
    public var urgency: Int {
        didSet { urgency = Self.bounded(urgency) }
    }
    /// Whether parts of the response are of use before its end.
    public var isIncremental: Bool

    /// Sets a priority; `urgency` is brought into 0…7.
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = Self.bounded(urgency)
        self.isIncremental = isIncremental
    }

    private static func bounded(_ urgency: Int) -> Int { min(max(urgency, 0), 7) }

    /// The value of the `priority` field and of PRIORITY_UPDATE frames (RFC 9218 §4).
    package var fieldValue: String { isIncremental ? "u=\(urgency), i" : "u=\(urgency)" }
}

/// When to send `Expect: 100-continue` and wait for the server's word before the body (RFC 9110 §10.1.1).
public enum ExpectContinuePolicy: Sendable, Hashable {
    /// Never.
    case never
    /// For every request with a body; without an answer the body is sent after `wait`.
    case always(wait: Duration)
}
