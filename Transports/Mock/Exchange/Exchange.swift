internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One exchange of a mock. ``run()`` performs it from start to head, and ``next()`` delivers the body.
final class Exchange: Sendable {
    /// The state that other tasks may read or change during the exchange.
    struct Progress: Sendable {
        var phase = TransportPhase.options
        /// Whether the transport counts the exchange as in flight.
        var isAdmitted = false
        /// Whether a byte of the request was sent.
        var isSent = false
        var isRequestFinished = false
        /// The place of the request in the history.
        var index: Int?
        /// The activity that the clock waits for during a call of the caller's.
        var activity: Activity?
        /// The activity of the user's code: a closure, a stream and the tasks that they start.
        var userActivity: Activity?
        /// The waiter to signal to interrupt a pause.
        var waiter: WaiterID?
        var connectionID: UInt64?
        /// Whether the caller has cancelled the body.
        var isCancelled = false
        var isReading = false
        var isOver = false
        var body: BodyProgress?
        var trailers: HTTPFields?
    }

    let mock: MockTransport
    /// The request, with the head of the handshake if it asks for an upgrade.
    let request: TransportRequest
    let origin: Origin?
    private let invalidHandshake: UpgradeProtocol.InvalidHandshake?
    /// The reason why the mock rejects the request.
    let refusal: TransportError?
    let start: MonotonicInstant
    // Guards the state that the reader of the body and its canceller share.
    let progress = Mutex(Progress())

    init(_ request: TransportRequest, on mock: MockTransport) {
        self.mock = mock
        origin = Origin(request.head)
        var request = request
        var invalidHandshake: UpgradeProtocol.InvalidHandshake?
        if let upgrade = request.upgrade {
            do throws(UpgradeProtocol.InvalidHandshake) {
                request.head = try upgrade.http1Head(of: request)
                if request.head.method != .connect { request.head.headerFields[.connection] = "Upgrade" }
            } catch {
                invalidHandshake = error
            }
        }
        var refusal: TransportError?
        do throws(TransportError) {
            // An archive has no certificates to evaluate.
            if mock.book != nil { request.security = nil }
            try mock.capabilities.accept(&request, on: mock.clock)
        } catch {
            refusal = error
        }
        self.refusal = refusal
        self.request = request
        self.invalidHandshake = invalidHandshake
        start = mock.configuration.clock.now
    }

    var clock: VirtualClock { mock.configuration.clock }
    var features: TransportFeatures { mock.configuration.features }

    /// Sends the request and returns the response's head.
    func run() async throws(TransportError) -> TransportResponse {
        try await working { () async throws(TransportError) in
            emit(.started(request.head))
            do throws(TransportError) {
                let origin = try admit()
                if let invalidHandshake { throw self.error(.invalidRequest, invalidHandshake.message) }
                let body = try RequestBodyReader(request.body)
                defer { body.cancel() }
                let matched = try await match(body)
                let connection = try await connect(matched.script, to: origin)
                try await send(body, for: matched, on: connection)
                return try await respond(to: matched, on: connection)
            } catch {
                fail(error)
                throw error
            }
        }
    }

    /// Runs one call of the caller's as an activity that the clock waits for.
    func working<Value>(
        _ work: () async throws(TransportError) -> Value
    ) async throws(TransportError) -> Value {
        let activity = clock.makeActivity()
        clock.begin(activity, within: Activity.current)
        progress.withLock { $0.activity = activity }
        defer {
            progress.withLock { $0.activity = nil }
            clock.remove(activity)
        }
        return try await work()
    }

    // MARK: Telling

    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) {
        request.report(kind(), on: clock)
    }

    /// Returns an error in the current phase.
    func error(
        _ code: TransportError.Code,
        _ message: String,
        libraryMessage: String? = nil,
        underlying: (any Error)? = nil
    ) -> TransportError {
        let (phase, isSent) = progress.withLock { ($0.phase, $0.isSent) }
        return TransportError(
            code,
            phase: phase,
            processing: isSent ? .unknown : .notSent,
            message: message,
            origin: origin,
            libraryMessage: libraryMessage,
            underlying: underlying
        )
    }

    func cancellation() -> TransportError {
        let (phase, isSent) = progress.withLock { ($0.phase, $0.isSent) }
        return .cancelled(in: phase, processing: isSent ? .unknown : .notSent, origin: origin)
    }

    // MARK: Ending

    /// Ends the exchange successfully.
    ///
    /// - Parameter reason: The reason why the connection is closed, or `nil` if it is kept.
    func finish(closingBecause reason: String?) {
        guard end(keepingConnection: reason == nil) else { return }
        emit(.released(reason.map { .closed(reason: $0) } ?? .kept))
        leave()
    }

    /// Ends the exchange with an error, unless it has ended.
    func fail(_ error: TransportError) {
        guard end(keepingConnection: false) else { return }
        emit(.failed(error))
        leave()
    }

    private func end(keepingConnection isKept: Bool) -> Bool {
        let (isFirst, connectionID, userActivity) = progress.withLock { progress in
            defer { progress.isOver = true }
            return (!progress.isOver, progress.connectionID, progress.userActivity)
        }
        if isFirst, let userActivity { clock.remove(userActivity) }
        if isFirst, let connectionID { release(connectionID, keeping: isKept) }
        return isFirst
    }

    private func release(_ id: UInt64, keeping isKept: Bool) {
        let next = mock.state.withLock { $0.pool.release(id, keeping: isKept && !$0.isShutDown) }
        if let next { clock.signal(next) }
    }

    private func leave() {
        guard progress.withLock({ $0.isAdmitted }) else { return }
        for waiter in mock.state.withLock({ $0.exchangeEnded() }) { waiter.resume() }
    }
}
