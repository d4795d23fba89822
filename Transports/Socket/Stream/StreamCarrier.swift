internal import AirframeTransport

/// A connection that carries several streams at once.
///
/// The ``ConnectionPool`` counts the streams and never opens more than ``capacity``. The carrier tells the pool through
/// the handler that ``start(_:)`` is given when that changes.
protocol StreamCarrier: AnyObject, Sendable {
    /// How many streams there may be at once at first: the peer's `SETTINGS_MAX_CONCURRENT_STREAMS`, or a guess until
    /// it is known.
    var capacity: Int { get }

    /// Starts to serve the connection. Called once, before the first stream is opened.
    ///
    /// - Parameter report: Called on any thread and without a lock of the carrier held, when something has changed.
    func start(_ report: @escaping @Sendable (CarrierChange) -> Void)

    /// Whether a new stream can be opened as far as is known without waiting. Called with the pool's lock held: it must
    /// not call the pool.
    var isUsable: Bool { get }

    /// Whether the peer accepts extended CONNECT (RFC 8441 §3). Called with the pool's lock held.
    var allowsExtendedConnect: Bool { get }

    /// Whether the peer claims `origin` for the connection, or has claimed none (RFC 8336 §2.4).
    func claims(_ origin: Origin) -> Bool

    /// Opens a stream for one exchange; `nil` when the connection has ended meanwhile.
    ///
    /// - Parameter origin: The origin that the exchange asks: the connection's own, or one that it serves beside.
    func openStream(for origin: Origin) -> (any MessageStream)?

    /// Closes the connection once its streams have ended: the pool has no more use for it. It may be called more than
    /// once.
    func retire()
}

/// A change of a carrier.
enum CarrierChange: Sendable {
    /// The peer allows so many streams at once; 0 for none at the moment.
    case capacity(Int)
    /// The connection takes no new streams, and the open ones continue: GOAWAY, identifiers that run out, an age.
    case retired
    /// The connection has ended, and all streams with it.
    case closed
}
