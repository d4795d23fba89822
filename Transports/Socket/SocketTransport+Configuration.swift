public import AirframeTransport

extension SocketTransport {
    /// How a transport over sockets behaves.
    public struct Configuration: Sendable {
        /// The clock that events carry and that layers wait on. Limits always run on the system's clock: the network
        /// does.
        public var clock: any TransportClock = SystemClock.shared

        /// What requests leave open.
        public var defaultOptions = TransportOptions()

        /// The most connections at once, or `nil` for as many as are asked for. Requests beyond it wait in the phase
        /// ``TransportPhase/pool``, in the order in which they came.
        public var maximumConnections: Int?

        /// The most connections to one host at once, or `nil` for as many as are asked for. Connections that differ in
        /// trust, identity, proxy, TLS options or local end count apart.
        public var maximumConnectionsPerHost: Int?

        /// The most requests that wait for a connection, or `nil` for no bound. Those beyond it fail with
        /// ``TransportError/Code/poolExhausted``.
        public var maximumWaitingRequests: Int?

        /// The most idle connections that are kept.
        public var maximumIdleConnections = 256

        /// How long an idle connection is kept for reuse.
        public var idleConnectionAge: Duration = .seconds(90)

        /// How long a connection takes new requests, or `nil` for as long as the server keeps it. Closing connections
        /// from time to time lets changes of addresses come through.
        public var connectionAge: Duration?

        /// The most bytes that a response's head may have.
        public var headSizeLimit = 256 * 1024

        /// The most informational responses (RFC 9110 §15.2) before the final one.
        public var informationalResponseLimit = 32

        /// The resolver that finds the addresses of hosts and proxies.
        public var resolver: any NameResolver = SystemNameResolver.shared

        /// How long the addresses of a host are used before they are asked for again. Zero asks every time.
        public var addressAge: Duration = .seconds(60)

        /// How long an attempt to connect may take before the next address is tried beside it (RFC 8305 §5).
        public var connectionAttemptDelay: Duration = .milliseconds(250)

        /// How long a connection is silent before the kernel asks whether the peer is still there; `nil` never asks.
        public var keepAliveDelay: Duration? = .seconds(60)

        /// How long bytes may stay unacknowledged before the kernel gives the connection up (`TCP_USER_TIMEOUT`); `nil`
        /// leaves it to the kernel.
        public var unacknowledgedDataLimit: Duration?

        /// The most bytes that all streams of an HTTP/2 connection may hold, received and not pulled or still granted
        /// to the server (RFC 9113 §5.2). A stream takes 64 KiB of it at first, and more while its content arrives
        /// faster than that allows; the number of streams at once is limited accordingly.
        public var http2ConnectionWindow = 64 * 1024 * 1024

        /// How long an HTTP/2 connection is silent before the server is asked by PING whether it is still there (RFC
        /// 9113 §6.7); `nil` never asks.
        public var http2PingInterval: Duration? = .seconds(30)

        /// How long the answer to such a PING may take. After that the connection is closed and its exchanges fail.
        public var http2PingTimeout: Duration = .seconds(15)

        /// Whether a request may use the HTTP/2 connection of another origin (RFC 9113 §9.1.1).
        ///
        /// Its host must have the address that the connection leads to, the server's certificates must be trusted for it,
        /// and the server must claim the origin where it sends ORIGIN frames (RFC 8336). It never happens where the caller
        /// decides on trust (a ``TrustEvaluation`` may pin keys), with a client identity, or through a proxy. A server
        /// that does not answer for the origin says so with 421, and the request is sent again on a connection of its own.
        public var coalescesHTTP2Connections = false

        /// How many threads wait for sockets. One is enough for all but the largest numbers of connections.
        public var reactorCount = 1

        /// The defaults.
        public init() {}
    }
}
