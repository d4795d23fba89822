extension WebSocket {
    /// The protocols and the compression to ask for, and the limits of a connection.
    public struct Configuration: Sendable {
        /// The application protocols to ask for, the preferred one first (RFC 6455 §1.9).
        public var protocols: [String]

        /// The compression to offer; none by default.
        public var compression: Compression?

        /// The largest message that ``WebSocket/messages`` returns, in bytes after decompression; 1 MiB by default. A
        /// larger one ends the connection with code 1009. Messages that are read in pieces have no limit.
        public var maximumMessageSize: Int

        /// The largest payload of a frame, in bytes. A larger one ends the connection with code 1009. Frames are
        /// handed on in pieces, so that their length costs no memory: there is no limit by default.
        public var maximumFrameSize: Int

        /// The bytes of messages that are kept while nobody reads, because a ping or the closing handshake has to read
        /// past them; 256 KiB by default.
        public var maximumBufferedSize: Int

        /// The pings that keep the connection alive, and find out that it is dead; none by default.
        public var keepAlive: KeepAlive?

        /// The longest time that the closing handshake may take; 10 seconds by default.
        public var closeTimeout: Duration

        /// Describes a connection.
        ///
        /// - Parameters:
        ///   - protocols: The application protocols to ask for.
        ///   - compression: The compression to offer.
        ///   - maximumMessageSize: The largest message, in bytes.
        ///   - maximumFrameSize: The largest payload of a frame, in bytes.
        ///   - keepAlive: The pings that keep the connection alive.
        ///   - closeTimeout: The longest time that the closing handshake may take.
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

    /// Pings at an interval (RFC 6455 §5.5.2), and the time that their pongs may take.
    public struct KeepAlive: Sendable, Hashable {
        /// The time from one pong to the next ping.
        public var interval: Duration
        /// The longest time between a ping and its pong. After it the connection is given up with
        /// ``WebSocketError/Code/keepAliveTimedOut``.
        public var timeout: Duration

        /// Describes the pings.
        ///
        /// - Parameters:
        ///   - interval: The time from one pong to the next ping.
        ///   - timeout: The longest time between a ping and its pong.
        public init(interval: Duration = .seconds(20), timeout: Duration = .seconds(20)) {
            self.interval = interval
            self.timeout = timeout
        }
    }
}
