public import HTTPTypes

/// One thing that happened in an exchange, and when.
///
/// Events are for live observers: they arrive in the order in which things happen. ``ExchangeTimeline`` is the fold
/// over them, and engines keep one without events.
public struct TransportEvent: Sendable {
    /// The exchange that it belongs to.
    public let exchange: ExchangeIdentifier
    /// When it happened, on the transport's clock.
    public let instant: MonotonicInstant
    /// What happened.
    public let kind: Kind

    /// Makes an event.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - exchange: The exchange that it belongs to, usually ``TransportRequest/exchange``.
    ///   - instant: When it happened, on the transport's clock.
    public init(_ kind: Kind, of exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
        self.kind = kind
        self.exchange = exchange
        self.instant = instant
    }

    /// What can happen. More kinds may come: fold with a `default`.
    public enum Kind: Sendable {
        /// The exchange began; it waits for a connection.
        case started(HTTPRequest)
        /// Name resolution began.
        case resolveStarted(host: String)
        /// Name resolution ended; the addresses are in text form.
        case resolveFinished(addresses: [String])
        /// An attempt to connect began.
        case connectStarted(SocketAddress)
        /// An attempt to connect succeeded.
        case connectFinished(SocketAddress)
        /// An attempt to connect failed; another may follow.
        case connectFailed(SocketAddress, TransportError)
        /// The talk with a proxy began.
        case proxyStarted(SocketAddress)
        /// The proxy let us through; an HTTP proxy's status, if it gave one.
        case proxyFinished(status: Int?)
        /// The TLS handshake began.
        case tlsStarted
        /// The TLS handshake succeeded and the server is trusted.
        case tlsFinished(TLSDescription)
        /// The exchange has its connection, a new one or one that was kept.
        case connectionAcquired(TransportConnection)
        /// The request's head was written; its size in bytes where it is known.
        case requestHeadSent(byteCount: Int?)
        /// Bytes of the request's body were written: how many now, how many so far.
        case requestBodySent(byteCount: Int64, total: Int64)
        /// The request was written whole, with its trailers.
        case requestFinished
        /// An informational response came (RFC 9110 §15.2).
        case informationalResponse(HTTPResponse)
        /// The final response's head came; its size in bytes where it is known.
        case responseHead(HTTPResponse, byteCount: Int?)
        /// Bytes of the response's body came: how many now, how many so far.
        case responseBodyReceived(byteCount: Int64, total: Int64)
        /// Bytes of the response's body were freed of their content codings: how many now, how many so far.
        case responseBodyDecoded(byteCount: Int64, total: Int64)
        /// Trailer fields came.
        case trailers(HTTPFields)
        /// The exchange is over and its connection free. The last event of an exchange that succeeds.
        case released(ConnectionFate)
        /// The exchange failed. The last event of an exchange that does.
        case failed(TransportError)
        /// A transport, a layer or a session decided something.
        case decided(TransportDecision)
    }

    /// What becomes of a connection after an exchange.
    public enum ConnectionFate: Sendable, Hashable {
        /// It stays open for the next one.
        case kept
        /// It was closed; why, in words.
        case closed(reason: String)
        /// There was none, or the engine does not know.
        case unknown
    }
}

/// Where the events of an exchange go.
public protocol TransportEventSink: AnyObject, Sendable {
    /// The events that the sink asks for; all by default. Others are not made for it, though a sink may still receive
    /// some that another sink asked for. Constant for the life of the sink.
    var wantedEvents: TransportEventKinds { get }

    /// Takes an event. Called in order, on whatever thread the exchange runs on: it must not block.
    func receive(_ event: TransportEvent)
}

extension TransportEventSink {
    /// Every event.
    public var wantedEvents: TransportEventKinds { .all }
}

/// A closure as a sink.
public final class ClosureEventSink: TransportEventSink {
    /// The events that the closure asks for.
    public let wantedEvents: TransportEventKinds
    private let closure: @Sendable (TransportEvent) -> Void

    /// Wraps `receive`.
    ///
    /// - Parameters:
    ///   - wantedEvents: The events that the closure asks for.
    ///   - receive: Called with each of them, in order.
    public init(
        wanting wantedEvents: TransportEventKinds = .all,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.wantedEvents = wantedEvents
        closure = receive
    }

    /// Passes the event on.
    public func receive(_ event: TransportEvent) { closure(event) }
}
