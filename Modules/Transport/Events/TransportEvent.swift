public import HTTPTypes

/// A step of an exchange, with its instant.
///
/// Events are for live observers and arrive in chronological order. An ``ExchangeTimeline`` has the same information
/// after the fact, and engines update it without constructing events.
public struct TransportEvent: Sendable {
    /// The exchange of the event.
    public let exchange: ExchangeIdentifier
    /// The instant of the event on the transport's clock.
    public let instant: MonotonicInstant
    /// The kind of event.
    public let kind: Kind

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - kind: The kind of event.
    ///   - exchange: The exchange, usually ``TransportRequest/exchange``.
    ///   - instant: The instant on the transport's clock.
    public init(_ kind: Kind, of exchange: ExchangeIdentifier, at instant: MonotonicInstant) {
        self.kind = kind
        self.exchange = exchange
        self.instant = instant
    }

    /// The kind of an event. Switch with a `default`: kinds may be added.
    public enum Kind: Sendable {
        /// The exchange started and waits for a connection.
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
        /// The handshake with a proxy began.
        case proxyStarted(SocketAddress)
        /// The handshake with the proxy succeeded; with the status of an HTTP proxy.
        case proxyFinished(status: Int?)
        /// The TLS handshake began.
        case tlsStarted
        /// The TLS handshake succeeded and the server is trusted.
        case tlsFinished(TLSDescription)
        /// The exchange acquired its connection, a new or a reused one.
        case connectionAcquired(TransportConnection)
        /// The request's head was written; with its size in bytes if known.
        case requestHeadSent(byteCount: Int?)
        /// Bytes of the request's body were written: their number, and the total so far.
        case requestBodySent(byteCount: Int64, total: Int64)
        /// The whole request was written, including its trailers.
        case requestFinished
        /// An informational response arrived (RFC 9110 §15.2).
        case informationalResponse(HTTPResponse)
        /// The final response's head arrived; with its size in bytes if known.
        case responseHead(HTTPResponse, byteCount: Int?)
        /// Bytes of the response's body arrived: their number, and the total so far.
        case responseBodyReceived(byteCount: Int64, total: Int64)
        /// Bytes of the response's body were decoded: their number, and the total so far.
        case responseBodyDecoded(byteCount: Int64, total: Int64)
        /// Trailer fields arrived.
        case trailers(HTTPFields)
        /// The exchange ended and released its connection. The last event of a successful exchange.
        case released(ConnectionFate)
        /// The exchange failed. The last event of a failed exchange.
        case failed(TransportError)
        /// A transport, a layer or a session made a decision.
        case decided(TransportDecision)
    }

    /// The fate of a connection after an exchange.
    public enum ConnectionFate: Sendable, Hashable {
        /// The connection stays open for the next exchange.
        case kept
        /// The connection was closed, for the reason given.
        case closed(reason: String)
        /// There was no connection, or the engine does not know its fate.
        case unknown
    }
}

/// A receiver of the events of exchanges.
public protocol TransportEventSink: AnyObject, Sendable {
    /// The events that the sink wants; all by default. Others are not constructed for it, but it may receive events
    /// that another sink wants. Constant for the life of the sink.
    var wantedEvents: TransportEventKinds { get }

    /// Receives an event. Called in order, on the thread of the exchange, and must not block.
    func receive(_ event: TransportEvent)
}

extension TransportEventSink {
    /// Every event.
    public var wantedEvents: TransportEventKinds { .all }
}

/// A sink made from a closure.
public final class ClosureEventSink: TransportEventSink {
    /// The events that the closure wants.
    public let wantedEvents: TransportEventKinds
    private let closure: @Sendable (TransportEvent) -> Void

    /// Creates a sink from `receive`.
    ///
    /// - Parameters:
    ///   - wantedEvents: The events that the closure wants.
    ///   - receive: Called with each of them, in order.
    public init(
        wanting wantedEvents: TransportEventKinds = .all,
        _ receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.wantedEvents = wantedEvents
        closure = receive
    }

    /// Calls the closure.
    public func receive(_ event: TransportEvent) { closure(event) }
}
