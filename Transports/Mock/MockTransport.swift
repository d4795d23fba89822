public import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// An engine for tests: it answers by routes, fails as it is told to, remembers what it was asked, and lives on a clock
/// that takes no real time.
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
/// It emits every event that an engine emits, keeps connections and reuses them, honours limits and deadlines, asks
/// trust evaluations, and takes and gives bodies only as they are pulled. A request that no route expects fails with
/// its difference from the nearest one.
///
/// Nothing is registered anywhere: a mock belongs to whoever holds it, and tests that run at once share nothing.
public final class MockTransport: Transport {
    /// How the mock behaves.
    public let configuration: Configuration

    /// The archive that answers in the place of routes.
    let book: ReplayBook?

    // Guards routes, history and connections. No closure of the user's is called while it is held.
    let state: Mutex<MockState>

    /// Makes a mock with routes.
    ///
    /// - Parameters:
    ///   - configuration: How the mock behaves.
    ///   - routes: The routes. The first one that matches a request answers it.
    public init(configuration: Configuration = Configuration(), @RouteBuilder routes: () -> [Route]) {
        self.configuration = configuration
        book = nil
        state = Mutex(MockState(routes(), connectionsPerHost: configuration.maximumConnectionsPerHost))
    }

    /// Makes a mock that answers from an archive.
    init(configuration: Configuration, replaying book: ReplayBook) {
        self.configuration = configuration
        self.book = book
        state = Mutex(MockState([], connectionsPerHost: configuration.maximumConnectionsPerHost))
    }

    /// Makes a mock without routes. Add some with ``on(_:_:handler:)``.
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

    /// The clock that the mock lives on.
    public var clock: any TransportClock { configuration.clock }

    /// The clock that the mock lives on, to be moved by hand.
    public var virtualClock: VirtualClock { configuration.clock }

    /// Answers `request` by the first route that matches it.
    ///
    /// - Throws: What the reply's fault, a limit, the deadline or cancellation makes of it;
    ///   ``TransportError/Code/unmatchedRequest`` when there is no route.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let request = request.prepared(with: configuration.defaultOptions, on: clock)
        return try await Exchange(request, on: self).run()
    }

    /// Lets what is in flight end and closes what is idle. Requests that come later fail with
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
