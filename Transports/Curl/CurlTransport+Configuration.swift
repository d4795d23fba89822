public import AirframeTransport

extension CurlTransport {
    /// The settings of a transport over libcurl.
    public struct Configuration: Sendable {
        /// The clock of events and of layers that wait. Limits always run on the system's clock, as the network does.
        public var clock: any TransportClock = SystemClock.shared

        /// The options that apply where a request sets none.
        public var defaultOptions = TransportOptions()

        /// The resolver that finds the addresses of hosts and proxies. libcurl keeps its answers for 60 s.
        public var resolver: any NameResolver = SystemNameResolver.shared

        /// The maximum number of concurrent connections, at least 1, or `nil` for no limit. Requests beyond the limit
        /// wait in the phase ``TransportPhase/pool``. Each set of TLS settings has its own count: see
        /// ``maximumContexts``.
        public var maximumConnections: Int?

        /// The maximum number of concurrent connections to one host, at least 1, or `nil` for no limit.
        public var maximumConnectionsPerHost: Int?

        /// The maximum number of streams on one HTTP/2 connection. The server may allow fewer.
        public var maximumStreamsPerConnection = 100

        /// The maximum number of idle connections that are kept; 0 for none.
        public var maximumIdleConnections = 64

        /// How long an idle connection is kept for reuse.
        public var idleConnectionAge: Duration = .seconds(90)

        /// The maximum number of sets of TLS settings (trust, identity, roots, versions) with connections and caches of
        /// their own. Beyond it, the set that has been idle longest is closed.
        public var maximumContexts = 32

        /// The number of bytes of a response's body that may wait for the reader before the engine stops reading from
        /// the connection; at least 1. Over HTTP/2, libcurl 7.88 keeps up to 32 MiB more of a stream that nobody reads
        /// while other streams of its connection continue.
        public var bodyBufferSize = 256 * 1024

        /// The size in bytes of the buffer that a transfer receives into, from 1 KiB to 10 MiB. It is allocated while a
        /// request is in flight. A buffer of 256 KiB saves a tenth of the time of large bodies. From 64 KiB on, each
        /// allocation makes the C library's allocator consolidate its free memory.
        public var receiveBufferSize = 32 * 1024

        /// The maximum size in bytes of a response's head, including the informational responses before it. libcurl
        /// itself allows 300 KiB.
        public var headSizeLimit = 256 * 1024

        /// The maximum number of informational responses (RFC 9110 §15.2) before the final one.
        public var informationalResponseLimit = 32

        /// Creates the default settings.
        public init() {}
    }
}

extension CurlTransport.Configuration {
    /// The idle age in whole seconds. libcurl rejects negative values.
    var idleSeconds: Int { Int(clamping: max(0, idleConnectionAge.wholeNanoseconds) / 1_000_000_000) }
}
