public import AirframeCore
internal import AirframeTransport

extension ReconnectingWebSocket {
    /// When to connect again, and when to give up.
    public struct Policy: Sendable {
        /// The longest wait after the first failure. Each failure in a row doubles it.
        public var initialDelay: Duration
        /// The longest wait.
        public var maximumDelay: Duration
        /// Whether each wait is drawn from zero up to what the backoff says, so that clients that were cut off together
        /// come back apart.
        public var hasJitter: Bool
        /// The failures in a row after which the last one's error is thrown; `nil` for any number.
        public var maximumFailures: Int?
        /// The close codes after which no other connection is opened: by default 1000, and the codes of mistakes that a
        /// new connection would repeat (1002, 1003, 1007, 1008, 1009, 1010).
        public var finalCloseCodes: Set<WebSocket.CloseCode>

        /// Describes when to connect again.
        ///
        /// - Parameters:
        ///   - initialDelay: The longest wait after the first failure.
        ///   - maximumDelay: The longest wait.
        ///   - hasJitter: Whether waits are spread at random.
        ///   - maximumFailures: The failures in a row after which to give up.
        ///   - finalCloseCodes: The close codes after which no other connection is opened.
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

        func delay(afterFailures count: Int) -> Duration {
            var delay = max(initialDelay, .zero)
            // A product with a power of two can leave the range of `Duration`, which traps.
            for _ in 0..<min(max(count - 1, 0), 64) {
                guard delay < maximumDelay / 2 else {
                    delay = maximumDelay
                    break
                }
                delay += delay
            }
            return hasJitter ? delay * Double.random(in: 0...1) : delay
        }

        /// Whether an attempt that failed with `error` is worth another one: a server that says no says so again.
        func mayRetry(after error: any Error, failures: Int) -> Bool {
            if let maximumFailures, failures >= maximumFailures { return false }
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
