public import HTTPTypes

/// One thing that happened in an exchange, and when.
///
/// Events come in the order in which things happen. Metrics, progress, logs and traces are folds over them.
public struct TransportEvent: Sendable {
    /// When it happened, on the transport's clock.
    public let instant: MonotonicInstant
    /// What happened.
    public let kind: Kind

    /// Makes an event.
    public init(_ kind: Kind, at instant: MonotonicInstant) {
        self.kind = kind
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
    /// Takes an event. Called in order, on whatever thread the exchange runs on: it must not block.
    func receive(_ event: TransportEvent)
}

/// A closure as a sink.
public final class ClosureEventSink: TransportEventSink {
    private let closure: @Sendable (TransportEvent) -> Void

    /// Wraps `receive`.
    public init(_ receive: @escaping @Sendable (TransportEvent) -> Void) { closure = receive }

    /// Passes the event on.
    public func receive(_ event: TransportEvent) { closure(event) }
}
