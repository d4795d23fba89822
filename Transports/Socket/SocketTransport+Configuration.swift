public import AirframeTransport

extension SocketTransport {
    /// The configuration of a ``SocketTransport``.
    public struct Configuration: Sendable {
        /// The clock of events and of layers that wait. Limits and timeouts always use the system's monotonic clock.
        public var clock: any TransportClock = SystemClock.shared

        /// The options that apply where a request sets none.
        public var defaultOptions = TransportOptions()

        /// The maximum number of concurrent connections, or `nil` for no limit. Further requests wait in the phase
        /// ``TransportPhase/pool``, in the order in which they were sent.
        ///
        /// A trust evaluation runs while its handshake occupies a connection. The requests that an asynchronous one
        /// sends over the same transport, such as queries about revocation, do not wait: they may open further
        /// connections.
        public var maximumConnections: Int?

        /// The maximum number of concurrent connections to one host, or `nil` for no limit. Connections that differ in
        /// trust, identity, proxy, TLS options or local address are counted separately.
        public var maximumConnectionsPerHost: Int?

        /// The maximum number of requests that wait for a connection, or `nil` for no limit. Further requests fail with
        /// ``TransportError/Code/poolExhausted``.
        public var maximumWaitingRequests: Int?

        /// The maximum number of idle connections.
        public var maximumIdleConnections = 256

        /// How long an idle connection is kept for reuse.
        public var idleConnectionAge: Duration = .seconds(90)

        /// How long a connection accepts new requests, or `nil` for as long as the server keeps it open. Replacing
        /// connections from time to time lets the client follow changes of a host's addresses.
        public var connectionAge: Duration?

        /// The maximum size of a response head in bytes.
        public var headSizeLimit = 256 * 1024

        /// The maximum number of informational responses (RFC 9110 §15.2) before the final response.
        public var informationalResponseLimit = 32

        /// The resolver of host and proxy names.
        public var resolver: any NameResolver = SystemNameResolver.shared

        /// How long the addresses of a host are cached. Zero resolves the name for each connection.
        public var addressAge: Duration = .seconds(60)

        /// The time after which a connection attempt to the next address starts while the previous attempt continues
        /// (RFC 8305 §5).
        public var connectionAttemptDelay: Duration = .milliseconds(250)

        /// How long a connection is silent before the kernel probes the peer (`SO_KEEPALIVE`); `nil` for no probes.
        public var keepAliveDelay: Duration? = .seconds(60)

        /// How long sent bytes may stay unacknowledged before the kernel closes the connection (`TCP_USER_TIMEOUT`);
        /// `nil` for the kernel's default.
        public var unacknowledgedDataLimit: Duration?

        /// The maximum number of bytes that all streams of an HTTP/2 connection may hold: bytes received and not yet
        /// pulled, and credit granted to the server (RFC 9113 §5.2).
        ///
        /// One half is for the first 64 KiB of each stream, and limits the number of concurrent streams: 1,024 by
        /// default. The other half is for streams whose rate is limited by their window, which then grows up to 16 MiB.
        public var http2ConnectionWindow = 128 * 1024 * 1024

        /// How long an HTTP/2 connection is silent before a PING probes the server (RFC 9113 §6.7); `nil` for no PINGs.
        public var http2PingInterval: Duration? = .seconds(30)

        /// How long the server may take to acknowledge a PING. Then the connection is closed and its exchanges fail,
        /// unless other bytes have arrived or the server has accepted content meanwhile (RFC 9113 §6.7).
        public var http2PingTimeout: Duration = .seconds(15)

        /// Whether a request may use the HTTP/2 connection of another origin (RFC 9113 §9.1.1).
        ///
        /// The origin's host must resolve to the connection's address, the server's certificate must be trusted for the
        /// host, and a server that sends ORIGIN frames must list the origin (RFC 8336). Connections are never shared if
        /// the caller evaluates trust (a ``TrustEvaluation`` may pin keys), with a client identity, or through a proxy.
        /// If the server answers with 421, the request is sent again on its own connection.
        public var coalescesHTTP2Connections = false

        /// The number of reactor threads. One is enough for all but the largest numbers of connections.
        public var reactorCount = 1

        /// Creates the default configuration.
        public init() {}
    }
}
