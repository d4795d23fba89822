package import AirframeTransport
package import HTTPTypes

extension HAR {
    /// The record of one exchange: its timeline and the beginnings of its bodies.
    ///
    /// It becomes an entry when the exchange ends.
    package struct ExchangeRecord: Sendable {
        /// The timeline of the exchange.
        package private(set) var timeline: ExchangeTimeline
        private let firstHead: HTTPRequest
        private var notedHead: HTTPResponse?
        private var notedFailure: TransportError?

        /// The beginning of the request's body, if it was sampled.
        package var requestBody: BodySample?
        /// The beginning of the response's body, if it was sampled.
        package var responseBody: BodySample?
        /// The trailer fields of the request, if they were observed.
        package var requestTrailers: HTTPFields?
        /// The content codings that the sampled body still has.
        package var remainingCoding: String?
        /// Comments for readers of the archive.
        package var remarks: [String] = []
        /// Members of the entry outside the format.
        package var custom: [String: Value] = [:]
        /// The messages of the exchange's WebSocket.
        var webSocketMessages: [Value] = []

        /// Creates the record of an exchange that begins.
        package init(of request: HTTPRequest, _ exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
            timeline = ExchangeTimeline(of: exchange, at: instant)
            firstHead = request
        }

        /// Appends an event of the exchange.
        package mutating func receive(_ event: TransportEvent) { timeline.record(event) }

        /// Records a head without an event, from a layer that responds itself.
        package mutating func note(_ head: HTTPResponse) { notedHead = notedHead ?? head }

        /// The head of the request.
        package var request: HTTPRequest { timeline.request ?? firstHead }

        /// The head of the response, as it was on the wire.
        package var response: HTTPResponse? { timeline.response ?? notedHead }

        /// The error of the exchange, from its events or from the caller.
        package var failure: TransportError? {
            get { notedFailure ?? timeline.failure }
            set { notedFailure = newValue }
        }

        /// Whether the engine has completed the exchange successfully.
        package var isReleased: Bool {
            if case .released? = timeline.ending { true } else { false }
        }

        /// The address of the connection, or of the last attempt to connect.
        var address: SocketAddress? {
            timeline.connection?.remoteAddress ?? timeline.connectAttempts.last { $0.error == nil }?.address
                ?? timeline.connectAttempts.last?.address
        }
    }
}
