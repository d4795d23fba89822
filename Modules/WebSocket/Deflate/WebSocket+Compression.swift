extension WebSocket {
    /// The offer of permessage-deflate, the compression of messages (RFC 7692).
    ///
    /// Compression costs memory: up to 32 KiB of window for each direction that keeps its context, and about 256 KiB
    /// of zlib's state while this end compresses. The first compressed message allocates them. A smaller server window
    /// saves memory. If the server exceeds it, the connection is closed with code 1007 only if zlib detects that.
    public struct Compression: Sendable, Hashable {
        /// The base-2 logarithm of the window for compression at this end: 8 to 15 (§7.1.2.2). The server may ask for
        /// less.
        public var clientMaximumWindowBits: Int
        /// The base-2 logarithm of the maximum window for compression at the server: 8 to 15 (§7.1.2.1).
        public var serverMaximumWindowBits: Int
        /// Whether this end resets its context after each message (§7.1.1.2).
        public var clientForgetsContext: Bool
        /// Whether the server must reset its context after each message (§7.1.1.1).
        public var serverForgetsContext: Bool
        /// zlib's level: 1, the fastest, to 9, the smallest; 4 by default, which takes half of the time of level 6 for
        /// JSON that is 11 % larger.
        public var level: Int
        /// The minimum length of messages to compress, in bytes, unless `send` says otherwise.
        public var minimumLength: Int

        /// Creates an offer.
        ///
        /// - Parameters:
        ///   - clientMaximumWindowBits: The base-2 logarithm of the window for compression at this end: 8 to 15.
        ///   - serverMaximumWindowBits: The base-2 logarithm of the maximum window for compression at the server: 8 to
        ///     15.
        ///   - clientForgetsContext: Whether this end resets its context after each message.
        ///   - serverForgetsContext: Whether the server must reset its context after each message.
        ///   - level: zlib's level: 1 to 9.
        ///   - minimumLength: The minimum length of messages to compress, in bytes.
        public init(
            clientMaximumWindowBits: Int = 15,
            serverMaximumWindowBits: Int = 15,
            clientForgetsContext: Bool = false,
            serverForgetsContext: Bool = false,
            level: Int = 4,
            minimumLength: Int = 64
        ) {
            self.clientMaximumWindowBits = min(max(clientMaximumWindowBits, 8), 15)
            self.serverMaximumWindowBits = min(max(serverMaximumWindowBits, 8), 15)
            self.clientForgetsContext = clientForgetsContext
            self.serverForgetsContext = serverForgetsContext
            self.level = min(max(level, 1), 9)
            self.minimumLength = minimumLength
        }

        /// The maximum windows, with context.
        public static let standard = Compression()
    }
}
