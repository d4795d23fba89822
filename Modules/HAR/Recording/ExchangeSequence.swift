package import AirframeTransport
package import FoundationEssentials
internal import HTTPTypes

extension HAR {
    /// The exchanges of one request in order. Redirects and challenges cause exchanges with their own entries.
    package struct ExchangeSequence: Sendable {
        private let options: RecordingOptions
        private var current: ExchangeRecord?
        private var initiator: String?
        private var firstMethod: String?
        /// The beginning of the request's body, for exchanges that send it.
        package var requestBody: BodySample?
        /// Members of each entry outside the format.
        package var custom: [String: Value] = [:]

        /// Creates an empty sequence.
        package init(_ options: RecordingOptions) { self.options = options }

        /// Processes the next event.
        ///
        /// - Returns: The exchange that ended because another one begins.
        package mutating func receive(_ event: TransportEvent) -> ExchangeRecord? {
            guard case .started(let head) = event.kind else {
                if case .decided(let decision) = event.kind { note(decision) }
                current?.receive(event)
                return nil
            }
            let previous = finish()
            var record = ExchangeRecord(of: head, event.exchange, at: event.instant)
            record.receive(event)
            record.responseBody = BodySample(limit: options.responseBodyLimit)
            record.custom = custom
            if let initiator { record.custom["_initiator"] = .string(initiator) }
            initiator = nil
            firstMethod = firstMethod ?? head.method.rawValue
            current = record
            return previous
        }

        private mutating func note(_ decision: TransportDecision) {
            switch decision.kind {
            case .followedRedirect: initiator = "redirect"
            case .answeredChallenge: initiator = "challenge"
            default: break
            }
        }

        /// Appends bytes of the response's body.
        package mutating func take(_ chunk: Data) { current?.responseBody?.append(chunk) }

        /// Changes the current exchange, if there is one.
        package mutating func change(_ body: (inout ExchangeRecord) -> Void) {
            guard var record = current else { return }
            body(&record)
            current = record
        }

        /// Begins an attempt; the first has the number 1.
        package mutating func begin(attempt: Int) {
            firstMethod = nil
            custom["_attempt"] = .number(Double(attempt))
            initiator = attempt > 1 ? "retry" : nil
        }

        /// Ends the current exchange.
        package mutating func finish() -> ExchangeRecord? {
            defer { current = nil }
            // A redirect that turns POST into GET drops the body.
            if current?.request.method.rawValue == firstMethod { current?.requestBody = requestBody }
            return current
        }
    }
}
