public import Logging

extension RequestLogger {
    /// The level of each kind of line.
    public struct Levels: Sendable {
        /// The level of a request with a response; `info` by default.
        public var success = Logger.Level.info
        /// The level of a request whose response has a server error (5xx) or failed validation; `warning` by default.
        public var rejection = Logger.Level.warning
        /// The level of a request without a response, or with one that could not be parsed; `error` by default.
        public var failure = Logger.Level.error
        /// The level of a cancelled request, which is not an error; `info` by default.
        public var cancellation = Logger.Level.info
        /// The level of a phase that ended; `debug` by default.
        public var phases = Logger.Level.debug
        /// The level of a decision, such as a retry or a redirect; `debug` by default.
        public var decisions = Logger.Level.debug
        /// The level of the head of a request or a response; `trace` by default.
        public var heads = Logger.Level.trace
        /// The level of a message or control frame of a WebSocket, with kind and length; `trace` by default.
        public var messages = Logger.Level.trace
        /// The level of the text of a body, if bodies are enabled; `trace` by default.
        public var bodies = Logger.Level.trace

        /// Creates the default levels.
        public init() {}

        /// The lowest level at which the line of any request is written.
        var highestOfRequests: Logger.Level { max(success, rejection, failure, cancellation) }
    }
}
