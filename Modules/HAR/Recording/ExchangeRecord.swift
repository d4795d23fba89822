package import AirframeTransport
package import HTTPTypes

extension HAR {
    /// One exchange to be archived: its timeline, and beside it the beginnings of its bodies.
    ///
    /// An entry is made of it when the exchange is over.
    package struct ExchangeRecord: Sendable {
        /// The course of the exchange.
        package private(set) var timeline: ExchangeTimeline
        private let firstHead: HTTPRequest
        private var notedHead: HTTPResponse?
        private var notedFailure: TransportError?

        /// The beginning of the request's body, where it was sampled.
        package var requestBody: BodySample?
        /// The beginning of the response's body, where it was sampled.
        package var responseBody: BodySample?
        /// The trailer fields of the request, where they were observed.
        package var requestTrailers: HTTPFields?
        /// The content codings that are still on the sampled body.
        package var remainingCoding: String?
        /// Remarks for readers of the archive.
        package var remarks: [String] = []
        /// What the entry says beside the format.
        package var custom: [String: Value] = [:]
        /// The messages of the WebSocket that the exchange opened.
        var webSocketMessages: [Value] = []

        /// A record of an exchange that begins.
        package init(of request: HTTPRequest, _ exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
            timeline = ExchangeTimeline(of: exchange, at: instant)
            firstHead = request
        }

        /// Adds an event of the exchange.
        package mutating func receive(_ event: TransportEvent) { timeline.record(event) }

        /// Notes a head that came without an event: from a layer that answers by itself.
        package mutating func note(_ head: HTTPResponse) { notedHead = notedHead ?? head }

        /// The head of the request.
        package var request: HTTPRequest { timeline.request ?? firstHead }

        /// The head of the response, as it was on the wire.
        package var response: HTTPResponse? { timeline.response ?? notedHead }

        /// Why the exchange failed: by its events, or as a caller noted it.
        package var failure: TransportError? {
            get { notedFailure ?? timeline.failure }
            set { notedFailure = newValue }
        }

        /// Whether the engine has ended the exchange well.
        package var isReleased: Bool {
            if case .released? = timeline.outcome { true } else { false }
        }

        /// The address that was connected to, or that the last attempt was for.
        var address: SocketAddress? {
            timeline.connection?.remoteAddress ?? timeline.connectAttempts.last { $0.error == nil }?.address
                ?? timeline.connectAttempts.last?.address
        }
    }
}
