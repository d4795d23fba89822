public import Logging

extension RequestLogger {
    /// The level of each kind of line.
    public struct Levels: Sendable {
        /// A request that got its response; by default `info`.
        public var success = Logger.Level.info
        /// A request whose response says that the server failed (5xx), or was refused by validation; by default `warning`.
        public var rejection = Logger.Level.warning
        /// A request that got no response, or one that could not be read; by default `error`.
        public var failure = Logger.Level.error
        /// A request that was cancelled, which is nobody's error; by default `info`.
        public var cancellation = Logger.Level.info
        /// A phase of an exchange that ended; by default `debug`.
        public var phases = Logger.Level.debug
        /// A decision: retried, redirected, answered, waiting; by default `debug`.
        public var decisions = Logger.Level.debug
        /// The head of a request or a response; by default `trace`.
        public var heads = Logger.Level.trace
        /// A message or control frame of a WebSocket, by kind and length; by default `trace`.
        public var messages = Logger.Level.trace
        /// The text of a body, where bodies are wanted at all; by default `trace`.
        public var bodies = Logger.Level.trace

        /// The levels as they are by default.
        public init() {}

        /// The level that a logger must have to write the line of any request.
        var highestOfRequests: Logger.Level { max(success, rejection, failure, cancellation) }
    }
}
