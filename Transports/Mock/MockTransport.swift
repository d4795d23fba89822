public import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// An engine for tests. It answers by routes, produces faults, records requests, and uses a clock that takes no real
/// time.
///
/// ```swift
/// let mock = MockTransport {
///     Route(.get, "/users/:id") { request in .json(["id": request.captures["id"]]) }
///     Route(.get, "/flaky").reply(.sequence([.status(503), .json(["ok": true])]))
///     Route(.get, "/slow").reply(.text("at last").delayed(by: .seconds(30)))
///     Route(.get, "/broken").reply(.fault(.reset(afterBytes: 10)))
/// }
/// let session = Session(transport: mock)
/// ```
///
/// It emits all events of an engine, keeps and reuses connections, enforces limits and deadlines, calls trust
/// evaluations, and moves bodies only as they are pulled. A request that matches no route fails with its difference
/// from the nearest one.
///
/// Nothing is registered globally, so tests that run concurrently share nothing.
public final class MockTransport: Transport {
    /// The settings of the mock.
    public let configuration: Configuration

    /// The archive that answers instead of routes.
    let book: ReplayBook?

    // Guards routes, history and connections. None of the user's closures is called while it is held.
    let state: Mutex<MockState>

    /// Creates a mock with routes.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the mock.
    ///   - routes: The routes. The first one that matches a request answers it.
    public init(configuration: Configuration = Configuration(), @RouteBuilder routes: () -> [Route]) {
        self.configuration = configuration
        book = nil
        state = Mutex(MockState(routes(), connectionsPerHost: configuration.maximumConnectionsPerHost))
    }

    /// Creates a mock that answers from an archive.
    init(configuration: Configuration, replaying book: ReplayBook) {
        self.configuration = configuration
        self.book = book
        state = Mutex(MockState([], connectionsPerHost: configuration.maximumConnectionsPerHost))
    }

    /// Creates a mock without routes. ``on(_:_:handler:)`` adds them.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration) {}
    }

    /// The configuration's features.
    public var capabilities: TransportCapabilities {
        TransportCapabilities(
            engine: configuration.engine,
            features: configuration.features,
            contentCodings: configuration.contentCodings
        )
    }

    /// The clock of the mock.
    public var clock: any TransportClock { configuration.clock }

    /// The clock of the mock, which a test can move.
    public var virtualClock: VirtualClock { configuration.clock }

    /// Answers `request` by the first route that matches it.
    ///
    /// - Throws: The error of the reply's fault, of a limit, of the deadline or of cancellation;
    ///   ``TransportError/Code/unmatchedRequest`` if no route matches.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let request = request.prepared(with: configuration.defaultOptions, on: clock)
        return try await Exchange(request, on: self).run()
    }

    /// Waits for exchanges in flight to end and closes idle connections. Later requests fail with
    /// ``TransportError/Code/transportShutDown``.
    public func shutdown() async {
        await withUnsafeContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isShutDown = true
                _ = state.pool.closeIdle()
                if state.inFlightCount > 0 { state.shutdownWaiters.append(continuation) }
                return state.inFlightCount == 0
            }
            if isIdle { continuation.resume() }
        }
    }
}
