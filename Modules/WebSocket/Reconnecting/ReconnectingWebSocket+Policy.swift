public import AirframeCore
internal import AirframeTransport

extension ReconnectingWebSocket {
    /// The rules for reconnecting and giving up.
    public struct Policy: Sendable {
        /// The maximum wait after the first failure. Each consecutive failure doubles it.
        public var initialDelay: Duration
        /// The maximum wait.
        public var maximumDelay: Duration
        /// Whether each wait is random between zero and the backoff, so that clients that were disconnected together
        /// do not reconnect together.
        public var hasJitter: Bool
        /// The number of consecutive failures after which the last error is thrown; `nil` for no limit. Failed attempts
        /// and lost connections count. The count starts again with a message that is received, and with one that is
        /// sent on a connection that has been open for ``initialDelay``.
        public var maximumFailures: Int?
        /// The close codes after which no connection is opened: by default 1000, and the codes of errors that a new
        /// connection would repeat (1002, 1003, 1007, 1008, 1009, 1010).
        public var finalCloseCodes: Set<WebSocket.CloseCode>

        /// Creates a policy.
        ///
        /// - Parameters:
        ///   - initialDelay: The maximum wait after the first failure.
        ///   - maximumDelay: The maximum wait.
        ///   - hasJitter: Whether waits are random.
        ///   - maximumFailures: The number of consecutive failures after which to give up.
        ///   - finalCloseCodes: The close codes after which no connection is opened.
        public init(
            initialDelay: Duration = .seconds(1),
            maximumDelay: Duration = .seconds(60),
            hasJitter: Bool = true,
            maximumFailures: Int? = nil,
            finalCloseCodes: Set<WebSocket.CloseCode> = [
                .normalClosure, .protocolError, .unsupportedData, .invalidFramePayloadData, .policyViolation,
                .messageTooBig, .mandatoryExtensionMissing,
            ]
        ) {
            self.initialDelay = initialDelay
            self.maximumDelay = maximumDelay
            self.hasJitter = hasJitter
            self.maximumFailures = maximumFailures
            self.finalCloseCodes = finalCloseCodes
        }

        func isExhausted(afterFailures count: Int) -> Bool {
            guard let maximumFailures else { return false }
            return count >= maximumFailures
        }

        func delay(afterFailures count: Int) -> Duration {
            var delay = max(initialDelay, .zero)
            // Multiplication by a power of two can exceed the range of `Duration`, which traps.
            for _ in 0..<min(max(count - 1, 0), 64) {
                guard delay < maximumDelay / 2 else {
                    delay = maximumDelay
                    break
                }
                delay += delay
            }
            return hasJitter ? delay * Double.random(in: 0...1) : delay
        }

        /// Whether an attempt that failed with `error` may be repeated. A server that rejects a handshake would reject
        /// it again.
        func mayRetry(after error: any Error, failures: Int) -> Bool {
            if isExhausted(afterFailures: failures) { return false }
            let failure = (error as? WebSocketError) ?? error.asAFError?.webSocketError
            if let failure {
                if let status = failure.statusCode { return [408, 425, 429, 500, 502, 503, 504].contains(status) }
                return failure.code == .connectionLost || failure.code == .keepAliveTimedOut || failure.code == .closed
            }
            guard let failure = error.asAFError?.transportError else { return false }
            return !failure.isTrustFailure && failure.code != .unsupportedOption && failure.code != .invalidRequest
        }

        func isFinal(_ code: WebSocket.CloseCode?, _ error: WebSocketError?) -> Bool {
            if let error, [.protocolViolation, .messageTooBig, .closedLocally].contains(error.code) { return true }
            return code.map(finalCloseCodes.contains) ?? false
        }
    }
}
