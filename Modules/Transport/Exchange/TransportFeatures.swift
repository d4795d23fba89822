/// A set of abilities that not every transport has. Each option needs one; see ``TransportOptions/requiredFeatures``.
public struct TransportFeatures: OptionSet, Sendable, Hashable {
    /// One bit a feature.
    public let rawValue: UInt64

    /// Creates a set from its bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    private init(bit: UInt64) { rawValue = 1 << bit }

    /// HTTP/1.1
    public static let http1 = TransportFeatures(bit: 0)
    /// HTTP/2 over TLS, chosen by ALPN
    public static let http2 = TransportFeatures(bit: 1)
    /// HTTP/2 in the clear with prior knowledge (RFC 9113 §3.3)
    public static let http2PriorKnowledge = TransportFeatures(bit: 2)
    /// HTTP/3
    public static let http3 = TransportFeatures(bit: 3)
    /// `https`
    public static let tls = TransportFeatures(bit: 4)
    /// Consults a ``TrustEvaluation`` during the handshake
    public static let trustEvaluation = TransportFeatures(bit: 5)
    /// Presents a ``ClientIdentity``
    public static let clientIdentity = TransportFeatures(bit: 6)
    /// Bounds on the version of TLS
    public static let tlsVersionBounds = TransportFeatures(bit: 7)
    /// Trusted roots other than the system's
    public static let customRoots = TransportFeatures(bit: 8)
    /// HTTP proxies, in absolute form and with `CONNECT`
    public static let httpProxy = TransportFeatures(bit: 9)
    /// HTTP proxies that are reached over TLS
    public static let httpsProxy = TransportFeatures(bit: 10)
    /// SOCKS 4, 4a, 5 and 5h proxies
    public static let socksProxy = TransportFeatures(bit: 11)
    /// Proxies from the environment
    public static let environmentProxy = TransportFeatures(bit: 12)
    /// Addresses given for host names
    public static let resolveOverrides = TransportFeatures(bit: 13)
    /// A local address to connect from
    public static let localAddress = TransportFeatures(bit: 14)
    /// A network interface to connect from
    public static let networkInterface = TransportFeatures(bit: 15)
    /// Servers on Unix domain sockets
    public static let unixSocket = TransportFeatures(bit: 16)
    /// Priorities (RFC 9218)
    public static let priority = TransportFeatures(bit: 17)
    /// `Expect: 100-continue` (RFC 9110 §10.1.1)
    public static let expectContinue = TransportFeatures(bit: 18)
    /// Trailer fields after a request
    public static let requestTrailers = TransportFeatures(bit: 19)
    /// Trailer fields after a response
    public static let responseTrailers = TransportFeatures(bit: 20)
    /// Events for informational responses
    public static let informationalResponses = TransportFeatures(bit: 21)
    /// Sends the rest of a body while the response is read
    public static let fullDuplex = TransportFeatures(bit: 22)
    /// A limit on the whole exchange
    public static let deadline = TransportFeatures(bit: 23)
    /// A limit on waiting for a connection
    public static let poolLimit = TransportFeatures(bit: 24)
    /// A limit on connecting
    public static let connectLimit = TransportFeatures(bit: 25)
    /// A limit on the TLS handshake
    public static let tlsLimit = TransportFeatures(bit: 26)
    /// A limit on a pause while sending
    public static let writeIdleLimit = TransportFeatures(bit: 27)
    /// A limit on waiting for the response
    public static let firstByteLimit = TransportFeatures(bit: 28)
    /// A limit on a pause while receiving
    public static let readIdleLimit = TransportFeatures(bit: 29)
    /// Two-way streams after an ``UpgradeProtocol``
    public static let upgrade = TransportFeatures(bit: 30)
    /// Waits while there is no network path to the server
    public static let connectivityWait = TransportFeatures(bit: 40)

    /// Answers requests from a cache. A layer that caches adds it
    public static let responseCache = TransportFeatures(bit: 41)

    /// Holds an upload while its ``UploadGate`` is closed
    public static let uploadSuspension = TransportFeatures(bit: 31)

    /// Changes the priority of a request in flight (RFC 9218 §7)
    public static let priorityUpdates = TransportFeatures(bit: 32)
    /// Custom TLS cipher suites and groups
    public static let tlsAlgorithms = TransportFeatures(bit: 42)
    /// A differentiated services code point
    public static let dscp = TransportFeatures(bit: 43)
    /// A firewall mark (`SO_MARK`) for the machine's routing rules
    public static let packetMark = TransportFeatures(bit: 44)
    /// Custom keepalive probes
    public static let keepAliveProbes = TransportFeatures(bit: 45)
    /// A limit on unacknowledged bytes
    public static let userTimeout = TransportFeatures(bit: 46)
    /// TCP Fast Open (RFC 7413)
    public static let fastOpen = TransportFeatures(bit: 47)
    /// Multipath TCP (RFC 8684)
    public static let multipath = TransportFeatures(bit: 48)
    /// Opens connections in advance (``Transport/prepare(_:)``)
    public static let preparation = TransportFeatures(bit: 49)
    /// Negotiate and NTLM (``ConnectionAuthentication``)
    public static let connectionAuthentication = TransportFeatures(bit: 50)

    /// All of ``SocketSettings``
    public static let socketSettings: TransportFeatures = [
        .dscp, .packetMark, .keepAliveProbes, .userTimeout, .fastOpen, .multipath,
    ]

    /// Every feature: for transports without a network, such as test doubles
    public static let all = TransportFeatures(names.map(\.0))

    private static let names: [(TransportFeatures, String)] = [
        (.http1, "HTTP/1.1"), (.http2, "HTTP/2"), (.http2PriorKnowledge, "HTTP/2 with prior knowledge"),
        (.http3, "HTTP/3"), (.tls, "TLS"), (.trustEvaluation, "a trust evaluation"),
        (.clientIdentity, "a client identity"), (.tlsVersionBounds, "bounds on the TLS version"),
        (.customRoots, "trusted roots of one's own"), (.httpProxy, "an HTTP proxy"), (.httpsProxy, "an HTTPS proxy"),
        (.socksProxy, "a SOCKS proxy"), (.environmentProxy, "a proxy from the environment"),
        (.resolveOverrides, "resolve overrides"), (.localAddress, "a local address"),
        (.networkInterface, "a network interface"), (.unixSocket, "a Unix socket"), (.priority, "a priority"),
        (.expectContinue, "Expect: 100-continue"), (.requestTrailers, "request trailers"),
        (.responseTrailers, "response trailers"), (.informationalResponses, "informational responses"),
        (.fullDuplex, "full duplex"), (.deadline, "a deadline"), (.poolLimit, "a limit on waiting for a connection"),
        (.connectLimit, "a limit on connecting"), (.tlsLimit, "a limit on the TLS handshake"),
        (.writeIdleLimit, "a limit on idle writing"), (.firstByteLimit, "a limit on the first byte"),
        (.readIdleLimit, "a limit on idle reading"), (.upgrade, "upgrades"),
        (.connectivityWait, "waiting for connectivity"), (.responseCache, "a response cache"),
        (.uploadSuspension, "the suspension of uploads"), (.priorityUpdates, "changes of priority in flight"),
        (.tlsAlgorithms, "TLS cipher suites and groups"),
        (.dscp, "a differentiated services code point"), (.packetMark, "a packet mark"),
        (.keepAliveProbes, "keepalive probes"), (.userTimeout, "a TCP user timeout"), (.fastOpen, "TCP Fast Open"),
        (.multipath, "Multipath TCP"), (.preparation, "connections in advance"),
        (.connectionAuthentication, "Negotiate and NTLM, which AirframeCurl performs"),
    ]
}

extension TransportFeatures: CustomStringConvertible {
    /// The features in words, separated by commas.
    public var description: String {
        Self.names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
