internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One run of a case: a transport, a peer, and the deviations.
final class ConformanceTrial: Sendable {
    /// The error of a case that cannot continue. Its failure is recorded.
    struct Broken: Error {}

    let transport: any Transport
    let peer: any ConformancePeer
    private let caseID: String
    private let engine: ConformanceEngine
    // Guards the deviations.
    private let found = Mutex<[ConformanceFailure]>([])

    /// - Throws: Why the case cannot be run with this engine.
    init(_ conformanceCase: ConformanceCase, on engine: ConformanceEngine) async throws {
        caseID = conformanceCase.id
        self.engine = engine
        transport = try engine.makeTransport(for: conformanceCase)
        let missing = conformanceCase.needs.subtracting(transport.capabilities.features)
        guard missing.isEmpty else {
            throw InexpressibleScenario("the engine \(transport.capabilities.engine) says that it lacks \(missing)")
        }
        peer = try await engine.makePeer(conformanceCase.scenario, transport)
    }

    /// Returns whether the engine claims a level. Without ``ConformanceLevel/events`` nothing is expected of events and
    /// of descriptions of connections.
    func claims(_ level: ConformanceLevel) -> Bool { engine.claims.contains(level) }

    /// Creates a further transport for the same peer.
    func makeTransport() throws -> any Transport {
        let transport = try engine.make()
        peer.adopt(transport)
        return transport
    }

    // MARK: What is found

    var failures: [ConformanceFailure] { found.withLock { $0 } }

    func fail(_ message: String) {
        found.withLock { $0.append(ConformanceFailure(caseID: caseID, message: message)) }
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { fail(message()) }
    }

    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard !condition else { return }
        fail(message())
        throw Broken()
    }

    func require<Value>(_ value: Value?, _ message: @autoclosure () -> String) throws -> Value {
        if let value { return value }
        fail(message())
        throw Broken()
    }

    /// Waits for a mark of the peer, which is required.
    func reach(_ mark: String, count: Int = 1, within limit: Duration = .seconds(10)) async throws {
        let isReached = await peer.signals.reach(mark, count: count, within: limit)
        try require(isReached, "the peer did not get as far as \(mark) (\(count)) within \(Waiting.scaled(limit))")
    }

    // MARK: Exchanges

    func request(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        scheme: String = "http",
        fields: HTTPFields = [:],
        body: RequestBody = .none,
        _ change: (inout TransportOptions) -> Void = { _ in }
    ) -> TransportRequest {
        let head = HTTPRequest(
            method: method,
            scheme: scheme,
            authority: peer.authority,
            path: path,
            headerFields: fields
        )
        var request = TransportRequest(head, body: body)
        // The environment's proxies must not affect the case.
        request.options.proxy = ProxyPolicy.none
        change(&request.options)
        return request
    }

    /// Sends a request and reads the response to its end.
    func exchange(_ request: TransportRequest, on transport: (any Transport)? = nil) async -> ExchangeOutcome {
        var request = request
        let log = request.events as? EventLog ?? EventLog()
        request.events = log
        var outcome = ExchangeOutcome(events: log)
        let start = ContinuousClock.now
        do throws(TransportError) {
            let response = try await (transport ?? self.transport).send(request)
            outcome.head = response.head
            log.noteReturned("responseHead")
            outcome.connection = response.connection
            outcome.expectedLength = response.body.expectedLength
            while let chunk = try await response.body.next() {
                log.noteReturned("responseBodyReceived")
                outcome.data.append(chunk)
            }
            outcome.trailers = response.body.trailers
        } catch {
            outcome.error = error
        }
        outcome.elapsed = ContinuousClock.now - start
        // The last event may be reported a moment after the last byte.
        if claims(.events) { _ = await Waiting.until(within: .seconds(5)) { log.terminalCount > 0 } }
        return outcome
    }

    /// Waits until an exchange has reached the point that an event marks.
    ///
    /// Without events, the point shows in what the engine returns or what the peer observes. If it does not show, a
    /// moment has to suffice.
    ///
    /// - Returns: Whether the point was reached, or `true` if that is unknown.
    func reached(_ event: String, in log: EventLog, within limit: Duration = .seconds(10)) async -> Bool {
        if claims(.events) { return await Waiting.until(within: limit) { log.contains(event) } }
        switch event {
        case "responseHead", "responseBodyReceived":
            return await Waiting.until(within: limit) { log.hasReturned(event) }
        case "tlsStarted":
            let isAccepted = await peer.signals.reach("accepted", within: limit)
            try? await Task.sleep(for: Self.moment)
            return isAccepted
        default:
            try? await Task.sleep(for: Self.moment)
            return true
        }
    }

    /// Enough time to schedule a thread on a busy machine.
    private static let moment = Duration.milliseconds(200)

    /// Sends `GET path` and reads the response to its end.
    func get(_ path: String = "/") async -> ExchangeOutcome { await exchange(request(.get, path)) }

    /// Starts an exchange in a new task.
    func start(_ request: TransportRequest) -> Task<ExchangeOutcome, Never> {
        Task { await exchange(request) }
    }
}
