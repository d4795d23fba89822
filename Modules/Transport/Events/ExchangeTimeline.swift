public import HTTPTypes

/// The course of one exchange: the instant of each phase, byte counts, the connection, the outcome, and decisions with
/// their reasons.
///
/// It is the fold over the exchange's events from which metrics, archives, logs and spans are rendered. An engine keeps
/// it in place (``TimelineRecorder``), so that it costs no event; a sink can make its own with ``record(_:)``. What did
/// not happen is `nil`.
public struct ExchangeTimeline: Sendable {
    /// The beginning and the end of a phase.
    public struct Span: Sendable, Hashable {
        /// When the phase began.
        public internal(set) var start: MonotonicInstant
        /// When it ended, well or not; `nil` while it is under way, and if the exchange failed in it.
        public internal(set) var end: MonotonicInstant?
    }

    /// An attempt to connect to one address.
    public struct ConnectAttempt: Sendable {
        /// The address.
        public let address: SocketAddress
        /// When the attempt began and ended.
        public internal(set) var span: Span
        /// Why it failed; `nil` if it succeeded or is under way.
        public internal(set) var error: TransportError?
    }

    /// A decision, and when it was made.
    public struct Decision: Sendable {
        /// The decision and its reason.
        public let decision: TransportDecision
        /// When it was made.
        public let instant: MonotonicInstant
    }

    /// How the exchange ended.
    public enum Outcome: Sendable {
        /// The response was received; what became of the connection.
        case released(TransportEvent.ConnectionFate)
        /// The exchange failed.
        case failed(TransportError)
    }

    /// The exchange.
    public let exchange: ExchangeIdentifier

    // MARK: Messages

    /// The head of the request, as the engine was given it.
    public var request: HTTPRequest? { requestHead?.head }
    /// Informational responses (RFC 9110 §15.2), in order.
    public internal(set) var informationalResponses: [HTTPResponse] = []
    /// The head of the final response, as it was received.
    public internal(set) var response: HTTPResponse?
    /// The trailer fields of the response.
    public internal(set) var trailers: HTTPFields?

    // MARK: Connection

    /// The connection.
    public internal(set) var connection: TransportConnection?
    /// The parameters of a TLS handshake made for this exchange; the last one's, if there were several.
    public internal(set) var tls: TLSDescription?
    /// The attempts to connect, in the order in which they began.
    public internal(set) var connectAttempts: [ConnectAttempt] = []

    // MARK: Phases

    /// The first event of the exchange, which may be a layer's decision.
    public internal(set) var first: MonotonicInstant
    /// The latest event of the exchange.
    public internal(set) var last: MonotonicInstant
    /// When the engine began, which is when the wait for a connection began.
    public internal(set) var started: MonotonicInstant?
    /// Name resolution: the last one, if the engine made several.
    public internal(set) var resolution: Span?
    /// The talk with the proxy.
    public internal(set) var proxy: Span?
    /// The TLS handshake: the last one, if there were several.
    public internal(set) var tlsHandshake: Span?
    /// When the exchange had its connection.
    public internal(set) var connectionAcquired: MonotonicInstant?
    /// When the request's head was written.
    public internal(set) var requestHeadSent: MonotonicInstant?
    /// When the last piece of the request's body was written, so far.
    public internal(set) var requestBodySent: MonotonicInstant?
    /// When the whole request had been written.
    public internal(set) var requestFinished: MonotonicInstant?
    /// When the last informational response arrived.
    public internal(set) var informationalResponse: MonotonicInstant?
    /// When the head of the final response arrived.
    public internal(set) var responseHead: MonotonicInstant?
    /// When the first bytes of the response's body arrived.
    public internal(set) var firstBodyByte: MonotonicInstant?
    /// When the last bytes of the response's body arrived, so far.
    public internal(set) var lastBodyByte: MonotonicInstant?
    /// When the trailer fields arrived.
    public internal(set) var trailersReceived: MonotonicInstant?
    /// When the exchange ended, well or not.
    public internal(set) var ended: MonotonicInstant?
    /// How the exchange ended; `nil` while it is under way.
    public internal(set) var outcome: Outcome?

    // MARK: Bytes

    /// The size of the request's head in bytes, where it is known.
    public internal(set) var requestHeadBytes: Int?
    /// The bytes of the request's body that were written.
    public internal(set) var requestBodyBytes: Int64 = 0
    /// The size of the response's head in bytes, where it is known.
    public internal(set) var responseHeadBytes: Int?
    /// The bytes of the response's body that arrived, with its content codings.
    public internal(set) var responseBodyBytes: Int64 = 0
    /// The bytes of the response's body without its content codings; `nil` where nothing was decoded.
    public internal(set) var decodedBodyBytes: Int64?

    // MARK: Decisions

    /// Decisions other than the reuse of a connection.
    var otherDecisions: [Decision] = []
    /// Apart from the others, because most exchanges make this decision alone, and a list costs an allocation.
    var reuse: (id: UInt64, reason: String, instant: MonotonicInstant)?

    var requestHead: SharedRequestHead?

    /// An empty timeline.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - instant: When it began.
    public init(of exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
        self.exchange = exchange
        first = instant
        last = instant
    }
}

extension ExchangeTimeline {
    /// The decisions about the exchange, in order.
    public var decisions: [Decision] {
        guard let reuse else { return otherDecisions }
        let decision = TransportDecision(.reusedConnection(id: reuse.id), reason: reuse.reason)
        let index = otherDecisions.firstIndex { $0.instant > reuse.instant } ?? otherDecisions.count
        var all = otherDecisions
        all.insert(Decision(decision: decision, instant: reuse.instant), at: index)
        return all
    }

    /// Whether the connection served an earlier exchange; `nil` when that is unknown.
    public var isReused: Bool? { connection?.isReused ?? (reuse == nil ? nil : true) }

    /// Whether the response came from a cache.
    public var isFromCache: Bool {
        otherDecisions.contains { if case .servedFromCache = $0.decision.kind { true } else { false } }
    }

    /// Why the exchange failed.
    public var failure: TransportError? {
        if case .failed(let error)? = outcome { error } else { nil }
    }

    /// The time from the start of the exchange to the first sign of a connection of its own: resolution, an attempt to
    /// connect, or a connection from the pool.
    public var poolWait: Duration? {
        guard let started else { return nil }
        let candidates = [
            resolution?.start, connectAttempts.first?.span.start, proxy?.start, tlsHandshake?.start, connectionAcquired,
        ]
        return candidates.compactMap(\.self).min().map { started.duration(to: max($0, started)) }
    }

    /// Connecting with all that belongs to it: from the first attempt, or the talk with a proxy, to the end of the last
    /// attempt, talk or handshake.
    public var connecting: Span? {
        let starts = [connectAttempts.first?.span.start, proxy?.start, tlsHandshake?.start]
        guard let start = starts.compactMap(\.self).min() else { return nil }
        let ends = connectAttempts.map(\.span.end) + [proxy?.end, tlsHandshake?.end]
        return Span(start: start, end: ends.compactMap(\.self).max())
    }

    /// When sending ended, as far as it is known: the request's end, or its last byte so far.
    public var requestSent: MonotonicInstant? { requestFinished ?? requestBodySent ?? requestHeadSent }
}
