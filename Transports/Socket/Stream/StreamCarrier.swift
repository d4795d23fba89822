internal import AirframeTransport

/// A connection that carries several concurrent streams.
///
/// The ``ConnectionPool`` counts the streams and never opens more than ``capacity``. The carrier reports changes to the
/// pool through the handler passed to ``start(_:)``.
protocol StreamCarrier: AnyObject, Sendable {
    /// The initial maximum number of concurrent streams: the peer's `SETTINGS_MAX_CONCURRENT_STREAMS`, or an assumption
    /// until it is known.
    var capacity: Int { get }

    /// Starts to serve the connection. Called once, before the first stream is opened.
    ///
    /// - Parameter report: Called on any thread, without a lock of the carrier held, after each change.
    func start(_ report: @escaping @Sendable (CarrierChange) -> Void)

    /// Whether a new stream can be opened, as far as is known without waiting. Called with the pool's lock held: it
    /// must not call the pool.
    var isUsable: Bool { get }

    /// Whether the peer accepts extended CONNECT (RFC 8441 §3). Called with the pool's lock held.
    var allowsExtendedConnect: Bool { get }

    /// Whether the peer's SETTINGS have been received, or never will be.
    var hasSettings: Bool { get }

    /// Waits until ``hasSettings`` is `true`, or `waiter` is roused.
    nonisolated(nonsending) func waitForSettings(_ waiter: SettingsWaiter) async

    /// Returns whether the peer's origin set contains `origin`, or the peer has sent none (RFC 8336 §2.4).
    func claims(_ origin: Origin) -> Bool

    /// Opens a stream for one exchange; `nil` if the connection has been closed.
    ///
    /// - Parameter origin: The origin of the exchange: the connection's own, or another one that its server serves.
    func openStream(for origin: Origin) -> (any MessageStream)?

    /// Opens the stream of the exchange that has opened the connection. If the peer has sent GOAWAY meanwhile, the
    /// stream fails when it begins, with an error that says so. `nil` if the connection has failed.
    func openFirstStream(for origin: Origin) -> (any MessageStream)?

    /// Closes the connection once its streams have ended. It may be called more than once.
    func retire()
}

/// A change that a carrier reports.
enum CarrierChange: Sendable {
    /// The peer allows this many concurrent streams; 0 for none at the moment.
    case capacity(Int)
    /// The connection accepts no new streams, and open ones continue: after GOAWAY, exhausted identifiers or its age.
    case retired
    /// The connection is closed, and all its streams have ended.
    case closed
}
