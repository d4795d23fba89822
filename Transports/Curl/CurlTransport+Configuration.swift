public import AirframeTransport

extension CurlTransport {
    /// How a transport over libcurl behaves.
    public struct Configuration: Sendable {
        /// The clock that events carry and that layers wait on. Limits always run on the system's clock: the network
        /// does.
        public var clock: any TransportClock = SystemClock.shared

        /// What requests leave open.
        public var defaultOptions = TransportOptions()

        /// The resolver that finds the addresses of hosts and proxies. libcurl keeps its answers for 60 s.
        public var resolver: any NameResolver = SystemNameResolver.shared

        /// The most connections at once, or `nil` for as many as are asked for. Requests beyond it wait in the phase
        /// ``TransportPhase/pool``. It counts per set of TLS settings: see ``maximumContexts``.
        public var maximumConnections: Int?

        /// The most connections to one host at once, or `nil` for as many as are asked for.
        public var maximumConnectionsPerHost: Int?

        /// The most streams on one HTTP/2 connection, at most what the server allows.
        public var maximumStreamsPerConnection = 100

        /// The most idle connections that are kept.
        public var maximumIdleConnections = 64

        /// How long an idle connection is kept for reuse.
        public var idleConnectionAge: Duration = .seconds(90)

        /// The most sets of TLS settings (trust, identity, roots, versions) whose connections are kept apart, each with
        /// its own caches. The set that was idle longest goes first.
        public var maximumContexts = 32

        /// The most bytes of a response's body that wait for their reader before the connection is left unread. On
        /// HTTP/2 libcurl 7.88 itself keeps up to 32 MiB more of a stream that is left unread while others of its
        /// connection go on.
        public var bodyBufferSize = 256 * 1024

        /// The size of the buffer that a transfer receives into, 1 KiB to 10 MiB. It is taken while a request is in
        /// flight. Large ones save a little on large bodies (256 KiB: a tenth); from 64 KiB on, each makes the C
        /// library's allocator tidy up.
        public var receiveBufferSize = 32 * 1024

        /// The most bytes that a response's head may have, with all informational responses before it. libcurl itself
        /// allows 300 KiB.
        public var headSizeLimit = 256 * 1024

        /// The most informational responses (RFC 9110 §15.2) before the final one.
        public var informationalResponseLimit = 32

        /// The defaults.
        public init() {}
    }
}

extension CurlTransport.Configuration {
    /// The idle age in whole seconds, as libcurl takes it: it refuses negative ones.
    var idleSeconds: Int { Int(clamping: max(0, idleConnectionAge.wholeNanoseconds) / 1_000_000_000) }
}
