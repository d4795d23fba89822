package import AirframeTransport
package import FoundationEssentials
internal import HTTPTypes

extension HAR {
    /// The exchanges of one request in order. Redirects and challenges cause exchanges with their own entries.
    ///
    /// A cache that has served a stale response validates it in the background. Such an exchange runs concurrently with
    /// the current one or after the request, and ends with its own events.
    package struct ExchangeSequence: Sendable {
        private let options: RecordingOptions
        /// The exchange whose response the request receives.
        private var current: ExchangeRecord?
        /// The exchanges whose responses the request does not receive.
        private var background: [ExchangeRecord] = []
        /// Whether the attempt has ended: only background exchanges follow.
        private var isOver = false
        /// Whether a layer has decided to send another request instead of returning the response.
        private var isReplaced = false
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
        /// - Returns: The exchange that ended: because another one begins, or in the background by its own event.
        package mutating func receive(_ event: TransportEvent) -> ExchangeRecord? {
            if let index = background.firstIndex(where: { $0.timeline.exchange == event.exchange }) {
                return receive(event, inBackground: index)
            }
            guard case .started(let head) = event.kind else {
                if case .decided(let decision) = event.kind { note(decision) }
                current?.receive(event)
                return nil
            }
            var record = record(of: head, event)
            guard !beginsInBackground(event.exchange) else {
                background.append(record)
                return nil
            }
            let previous = endCurrent()
            if let initiator { record.custom["_initiator"] = .string(initiator) }
            initiator = nil
            isReplaced = false
            firstMethod = firstMethod ?? head.method.rawValue
            current = record
            return previous
        }

        private mutating func receive(_ event: TransportEvent, inBackground index: Int) -> ExchangeRecord? {
            switch event.kind {
            // A cache that serves a stored response instead of an error reports the same exchange again.
            case .started(let head):
                defer { background[index] = record(of: head, event) }
                return background[index]
            case .released, .failed:
                background[index].receive(event)
                return background.remove(at: index)
            default:
                background[index].receive(event)
                return nil
            }
        }

        /// Whether an exchange that begins is in the background: the attempt has ended, or a cache has answered it.
        private func beginsInBackground(_ exchange: ExchangeIdentifier) -> Bool {
            guard !isOver, let timeline = current?.timeline else { return isOver }
            return timeline.isFromCache && timeline.exchange != exchange && !isReplaced
        }

        private func record(of head: HTTPRequest, _ event: TransportEvent) -> ExchangeRecord {
            var record = ExchangeRecord(of: head, event.exchange, at: event.instant)
            record.receive(event)
            record.responseBody = BodySample(limit: options.responseBodyLimit)
            record.custom = custom
            return record
        }

        private mutating func note(_ decision: TransportDecision) {
            switch decision.kind {
            case .followedRedirect: initiator = "redirect"
            case .answeredChallenge: initiator = "challenge"
            case .retried: break
            default: return
            }
            isReplaced = true
        }

        /// Appends bytes of the body that the request receives.
        package mutating func take(_ chunk: Data) { current?.responseBody?.append(chunk) }

        /// Changes the current exchange, if there is one.
        package mutating func change(_ body: (inout ExchangeRecord) -> Void) {
            guard var record = current else { return }
            body(&record)
            current = record
        }

        /// Begins an attempt; the first has the number 1.
        package mutating func begin(attempt: Int) {
            isOver = false
            isReplaced = false
            firstMethod = nil
            custom["_attempt"] = .number(Double(attempt))
            initiator = attempt > 1 ? "retry" : nil
        }

        /// Ends the attempt and its current exchange. Later exchanges are in the background, until an attempt begins.
        package mutating func finish() -> ExchangeRecord? {
            isOver = true
            return endCurrent()
        }

        /// Ends the attempt and all exchanges, also those in the background.
        package mutating func finishAll() -> [ExchangeRecord] {
            let last = finish()
            defer { background = [] }
            return (last.map { [$0] } ?? []) + background
        }

        private mutating func endCurrent() -> ExchangeRecord? {
            defer { current = nil }
            // A redirect that turns POST into GET drops the body.
            if current?.request.method.rawValue == firstMethod { current?.requestBody = requestBody }
            return current
        }
    }
}
