public import HTTPTypes

/// The course of one exchange: the instant of each phase, byte counts, the connection, how it ended, and decisions with
/// their reasons.
///
/// Metrics, archives, logs and spans are derived from timelines. An engine updates a timeline in place
/// (``TimelineRecorder``), without constructing events; a sink can build its own with ``record(_:)``. A phase that did
/// not occur is `nil`.
public struct ExchangeTimeline: Sendable {
    /// The start and the end of a phase.
    public struct Span: Sendable, Hashable {
        /// The start of the phase.
        public internal(set) var start: MonotonicInstant
        /// The end of the phase, successful or not; `nil` while it is in progress, and if the exchange failed in it.
        public internal(set) var end: MonotonicInstant?
    }

    /// An attempt to connect to one address.
    public struct ConnectAttempt: Sendable {
        /// The address.
        public let address: SocketAddress
        /// The start and the end of the attempt.
        public internal(set) var span: Span
        /// The error; `nil` if the attempt succeeded or is in progress.
        public internal(set) var error: TransportError?
    }

    /// A decision and its instant.
    public struct Decision: Sendable {
        /// The decision and its reason.
        public let decision: TransportDecision
        /// The instant of the decision.
        public let instant: MonotonicInstant
    }

    /// How an exchange ended.
    public enum Ending: Sendable {
        /// The response was received, and the connection released.
        case released(TransportEvent.ConnectionFate)
        /// The exchange failed.
        case failed(TransportError)
    }

    /// The exchange.
    public internal(set) var exchange: ExchangeIdentifier

    // MARK: Messages

    /// The head of the request as the engine received it from the layers.
    public var request: HTTPRequest? { requestHead?.head }
    /// Informational responses (RFC 9110 §15.2), in order.
    public internal(set) var informationalResponses: [HTTPResponse] {
        get { box?.steps.informationalResponses ?? [] }
        set { uncommon.informationalResponses = newValue }
    }
    /// The head of the final response, as it was received.
    public var response: HTTPResponse? { finalHead?.head }
    /// The trailer fields of the response.
    public internal(set) var trailers: HTTPFields? {
        get { box?.steps.trailers }
        set { uncommon.trailers = newValue }
    }

    // MARK: Connection

    /// The connection.
    public internal(set) var connection: TransportConnection?
    /// The parameters of a TLS handshake made for this exchange; the last one's, if there were several.
    public internal(set) var tls: TLSDescription? {
        get { box?.steps.tls }
        set { uncommon.tls = newValue }
    }
    /// The attempts to connect, in the order in which they began.
    public internal(set) var connectAttempts: [ConnectAttempt] {
        get { box?.steps.connectAttempts ?? [] }
        set { uncommon.connectAttempts = newValue }
    }

    // MARK: Phases

    /// The first event of the exchange, which may be a layer's decision.
    public internal(set) var first: MonotonicInstant
    /// The latest event of the exchange.
    public internal(set) var last: MonotonicInstant
    /// When the engine started, and with it the wait for a connection.
    public internal(set) var started: MonotonicInstant?
    /// Name resolution: the last one, if the engine made several.
    public internal(set) var resolution: Span? {
        get { box?.steps.resolution }
        set { uncommon.resolution = newValue }
    }
    /// The handshake with the proxy.
    public internal(set) var proxy: Span? {
        get { box?.steps.proxy }
        set { uncommon.proxy = newValue }
    }
    /// The TLS handshake: the last one, if there were several.
    public internal(set) var tlsHandshake: Span? {
        get { box?.steps.tlsHandshake }
        set { uncommon.tlsHandshake = newValue }
    }
    /// When the exchange acquired its connection.
    public internal(set) var connectionAcquired: MonotonicInstant?
    /// When the request's head was written.
    public internal(set) var requestHeadSent: MonotonicInstant?
    /// When the last piece of the request's body was written, so far.
    public internal(set) var requestBodySent: MonotonicInstant?
    /// When the whole request had been written.
    public internal(set) var requestFinished: MonotonicInstant?
    /// When the last informational response arrived.
    public internal(set) var informationalResponse: MonotonicInstant? {
        get { box?.steps.informationalResponse }
        set { uncommon.informationalResponse = newValue }
    }
    /// When the head of the final response arrived.
    public internal(set) var responseHead: MonotonicInstant?
    /// When the first bytes of the response's body arrived.
    public internal(set) var firstBodyByte: MonotonicInstant?
    /// When the last bytes of the response's body arrived, so far.
    public internal(set) var lastBodyByte: MonotonicInstant?
    /// When the trailer fields arrived.
    public internal(set) var trailersReceived: MonotonicInstant? {
        get { box?.steps.trailersReceived }
        set { uncommon.trailersReceived = newValue }
    }
    /// When the exchange ended, successfully or not.
    public internal(set) var ended: MonotonicInstant?
    /// How the exchange ended; `nil` while the exchange is in progress.
    public internal(set) var ending: Ending?

    // MARK: Bytes

    /// The size of the request's head in bytes, if known.
    public internal(set) var requestHeadBytes: Int?
    /// The bytes of the request's body that were written.
    public internal(set) var requestBodyBytes: Int64 = 0
    /// The size of the response's head in bytes, if known.
    public internal(set) var responseHeadBytes: Int?
    /// The bytes of the response's body as received, before content decoding.
    public internal(set) var responseBodyBytes: Int64 = 0
    /// The bytes of the response's body after content decoding; `nil` if nothing was decoded.
    public internal(set) var decodedBodyBytes: Int64?

    // MARK: Decisions

    /// Decisions other than the reuse of a connection.
    var otherDecisions: [Decision] {
        get { box?.steps.otherDecisions ?? [] }
        set { uncommon.otherDecisions = newValue }
    }
    /// Separate from the others, because most exchanges make only this decision, and an array would need an allocation.
    var reuse: (id: UInt64, reason: String, instant: MonotonicInstant)?

    var requestHead: SharedRequestHead?
    var finalHead: SharedResponseHead?
    /// The steps that an exchange on a kept connection does not have; `nil` if it has none of them.
    var box: UncommonBox?

    /// Creates an empty timeline.
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

    /// Whether the connection served an earlier exchange; `nil` if that is unknown.
    public var isReused: Bool? { connection?.isReused ?? (reuse == nil ? nil : true) }

    /// Whether the response came from a cache.
    public var isFromCache: Bool {
        otherDecisions.contains { if case .servedFromCache = $0.decision.kind { true } else { false } }
    }

    /// The error of a failed exchange.
    public var failure: TransportError? {
        if case .failed(let error)? = ending { error } else { nil }
    }

    /// The time from the start of the exchange to the first step towards its connection: resolution, an attempt to
    /// connect, or a connection from the pool.
    public var poolWait: Duration? {
        guard let started else { return nil }
        let candidates = [
            resolution?.start, connectAttempts.first?.span.start, proxy?.start, tlsHandshake?.start, connectionAcquired,
        ]
        return candidates.compactMap(\.self).min().map { started.duration(to: max($0, started)) }
    }

    /// The establishment of the connection: from the first attempt, or the handshake with a proxy, to the end of the
    /// last attempt or handshake.
    public var connecting: Span? {
        let starts = [connectAttempts.first?.span.start, proxy?.start, tlsHandshake?.start]
        guard let start = starts.compactMap(\.self).min() else { return nil }
        let ends = connectAttempts.map(\.span.end) + [proxy?.end, tlsHandshake?.end]
        return Span(start: start, end: ends.compactMap(\.self).max())
    }

    /// When sending ended: the end of the request, or its last byte so far.
    public var requestSent: MonotonicInstant? { requestFinished ?? requestBodySent ?? requestHeadSent }
}
