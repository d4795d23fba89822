extension WebSocket {
    /// The subprotocols and compression to request, and the limits of a connection.
    public struct Configuration: Sendable {
        /// The subprotocols to request, the preferred one first (RFC 6455 §1.9). If there are none, those in the
        /// request's `Sec-WebSocket-Protocol` are requested.
        public var protocols: [String]

        /// The compression to offer; none by default.
        public var compression: Compression?

        /// The maximum size of a message that ``WebSocket/messages`` returns, in bytes after decompression; 1 MiB by
        /// default. A larger message ends the connection with code 1009. Messages that are read in pieces have no
        /// limit.
        public var maximumMessageSize: Int

        /// The maximum payload of a frame, in bytes. A larger frame ends the connection with code 1009. Frames are
        /// delivered in pieces, so their length costs no memory, and there is no limit by default.
        public var maximumFrameSize: Int

        /// The number of bytes of messages to buffer while no task reads them, when a ping or the closing handshake has
        /// to read past them; 256 KiB by default. Reading stops with the message or piece that reaches it.
        public var maximumBufferedSize: Int

        /// The pings that keep the connection alive and detect a dead peer; none by default.
        public var keepAlive: KeepAlive?

        /// The maximum duration of the closing handshake; 10 seconds by default.
        public var closeTimeout: Duration

        /// Creates a configuration.
        ///
        /// - Parameters:
        ///   - protocols: The subprotocols to request.
        ///   - compression: The compression to offer.
        ///   - maximumMessageSize: The maximum size of a message, in bytes.
        ///   - maximumFrameSize: The maximum payload of a frame, in bytes.
        ///   - keepAlive: The pings that keep the connection alive.
        ///   - closeTimeout: The maximum duration of the closing handshake.
        public init(
            protocols: [String] = [],
            compression: Compression? = nil,
            maximumMessageSize: Int = 1 << 20,
            maximumFrameSize: Int = .max,
            keepAlive: KeepAlive? = nil,
            closeTimeout: Duration = .seconds(10)
        ) {
            self.protocols = protocols
            self.compression = compression
            self.maximumMessageSize = maximumMessageSize
            self.maximumFrameSize = maximumFrameSize
            maximumBufferedSize = 256 << 10
            self.keepAlive = keepAlive
            self.closeTimeout = closeTimeout
        }
    }

    /// The interval of pings (RFC 6455 §5.5.2) and the timeout for their pongs.
    public struct KeepAlive: Sendable, Hashable {
        /// The time from one pong to the next ping.
        public var interval: Duration
        /// The time after a ping in which the server must send its pong or anything else. After such a time of silence
        /// the connection is closed with ``WebSocketError/Code/keepAliveTimedOut``. The time in which nothing is read
        /// because unread messages fill the buffer does not count.
        public var timeout: Duration

        /// Creates the settings of pings.
        ///
        /// - Parameters:
        ///   - interval: The time from one pong to the next ping.
        ///   - timeout: The time after a ping in which the server must send something.
        public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
            self.interval = interval
            self.timeout = timeout
        }
    }
}
