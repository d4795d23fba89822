internal import AirframeTransport
internal import FoundationEssentials

/// The changing state of a mock: routes, history, connections. It is pure and behind the transport's lock.
struct MockState: Sendable {
    /// The outcome of matching a request.
    enum Match: Sendable {
        case answered(by: Route, ResolvedReply, SeededGenerator)
        /// No route matches, for this reason.
        case unmatched(String)
    }

    var table: RoutingTable
    var pool: ConnectionPool
    private(set) var history: [RecordedRequest] = []
    /// The number of requests that were removed from the history.
    private var forgottenCount = 0
    var unmatchedReports: [String] = []
    var hits: [Identity: Int] = [:]
    var sequences = SequencePositions()
    var scenarios = ScenarioStates()
    var addresses = AddressBook()
    var inFlightCount = 0
    var isShutDown = false
    var shutdownWaiters: [UnsafeContinuation<Void, Never>] = []

    init(_ routes: [Route], connectionsPerHost: Int?) {
        table = RoutingTable(routes)
        pool = ConnectionPool(limitPerHost: connectionsPerHost)
    }

    /// Picks the first candidate whose scenarios agree, counts it and moves the scenarios, all in one step: of
    /// simultaneous requests only one finds the old state.
    mutating func match(_ candidates: [RouteCandidate], for request: RecordedRequest, seed: UInt64) -> Match {
        for candidate in candidates where candidate.mismatches.isEmpty {
            let route = candidate.route
            guard route.scenarioConditions.allSatisfy({ $0.mismatch(scenarios) == nil }) else { continue }
            let hit = hits[route.identity, default: 0] + 1
            hits[route.identity] = hit
            for transition in route.transitions { transition(&scenarios) }
            update(request.index) { record in
                record.route = route.identity
                record.routeName = route.name
                record.captures = candidate.captures
                record.hit = hit
            }
            var generator = SeededGenerator(seed: seed, route: table.number(of: route), hit: hit)
            let reply = sequences.resolve(route.answer, using: &generator)
            return .answered(by: route, reply, generator)
        }
        let judged = candidates.map { candidate in
            let scenarioMismatches = candidate.route.scenarioConditions.compactMap { $0.mismatch(scenarios) }
            return RouteCandidate(
                route: candidate.route,
                captures: candidate.captures,
                mismatches: candidate.mismatches + scenarioMismatches
            )
        }
        let report = UnmatchedReport(request: request, candidates: judged).text
        unmatchedReports.append(report)
        return .unmatched(report)
    }

    /// Records a request that has arrived.
    mutating func record(_ request: TransportRequest, at instant: MonotonicInstant) -> Int {
        let index = forgottenCount + history.count
        var record = RecordedRequest(index: index, instant: instant, head: request.head, options: request.options)
        record.priorityUpdates = request.priorityUpdates
        history.append(record)
        return index
    }

    /// Returns the record of a request, unless it was removed.
    func record(at index: Int) -> RecordedRequest? {
        history.indices.contains(index - forgottenCount) ? history[index - forgottenCount] : nil
    }

    /// Changes the record of a request, unless it was removed meanwhile.
    mutating func update(_ index: Int, _ change: (inout RecordedRequest) -> Void) {
        guard history.indices.contains(index - forgottenCount) else { return }
        change(&history[index - forgottenCount])
    }

    /// Clears the history, and resets sequences and scenarios.
    mutating func reset() {
        forgottenCount += history.count
        history = []
        unmatchedReports = []
        hits = [:]
        sequences = SequencePositions()
        scenarios = ScenarioStates()
    }

    /// Removes an exchange from the number of those in flight.
    ///
    /// - Returns: The waiters for the end of the last exchange.
    mutating func exchangeEnded() -> [UnsafeContinuation<Void, Never>] {
        inFlightCount -= 1
        guard inFlightCount == 0, isShutDown else { return [] }
        defer { shutdownWaiters = [] }
        return shutdownWaiters
    }
}
