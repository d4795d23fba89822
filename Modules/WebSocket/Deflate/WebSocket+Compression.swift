extension WebSocket {
    /// What to offer of permessage-deflate, the compression of messages (RFC 7692).
    ///
    /// Compression costs memory: up to 32 KiB of window for each direction that keeps its context, and some 256 KiB for
    /// zlib's state while this end compresses. Both are taken with the first compressed message.
    public struct Compression: Sendable, Hashable {
        /// The base-2 logarithm of the window that this end compresses with: 8 to 15 (§7.1.2.2). The server may ask for
        /// less.
        public var clientMaximumWindowBits: Int
        /// The base-2 logarithm of the largest window that the server may compress with: 8 to 15 (§7.1.2.1).
        public var serverMaximumWindowBits: Int
        /// Whether this end forgets earlier messages when it compresses (§7.1.1.2).
        public var clientForgetsContext: Bool
        /// Whether the server has to forget earlier messages when it compresses (§7.1.1.1).
        public var serverForgetsContext: Bool
        /// zlib's level: 1, the fastest, to 9, the smallest.
        public var level: Int
        /// The length of a message, in bytes, from which on it is compressed, unless `send` says otherwise.
        public var minimumLength: Int

        /// Describes an offer.
        ///
        /// - Parameters:
        ///   - clientMaximumWindowBits: The window that this end compresses with, as a logarithm: 8 to 15.
        ///   - serverMaximumWindowBits: The largest window of the server's, as a logarithm: 8 to 15.
        ///   - clientForgetsContext: Whether this end forgets earlier messages.
        ///   - serverForgetsContext: Whether the server has to forget earlier messages.
        ///   - level: zlib's level: 1 to 9.
        ///   - minimumLength: The length of a message, in bytes, from which on it is compressed.
        public init(
            clientMaximumWindowBits: Int = 15,
            serverMaximumWindowBits: Int = 15,
            clientForgetsContext: Bool = false,
            serverForgetsContext: Bool = false,
            level: Int = 6,
            minimumLength: Int = 64
        ) {
            self.clientMaximumWindowBits = min(max(clientMaximumWindowBits, 8), 15)
            self.serverMaximumWindowBits = min(max(serverMaximumWindowBits, 8), 15)
            self.clientForgetsContext = clientForgetsContext
            self.serverForgetsContext = serverForgetsContext
            self.level = min(max(level, 1), 9)
            self.minimumLength = minimumLength
        }

        /// The largest windows, with context.
        public static let standard = Compression()
    }
}
