import AirframeConformance
import AirframeMock
import AirframeTransport
import HTTPTypes
import Synchronization

/// A peer within a ``MockTransport``: what a scenario says in bytes becomes routes, replies and faults.
///
/// It refuses steps without a counterpart: bytes that are not a response, more bytes than a response has.
final class MockPeer: ConformancePeer {
    let authority: String
    let signals = PeerSignals()
    private let scripts: [MockScript]
    private let place: PeerScenario.Place
    private let tls: PeerTLS?
    // Guards the transports, and how far each connection has come.
    private let state = Mutex(PeerState())

    private struct PeerState {
        var transports: [WeakMock] = []
        /// By transport and connection: the number of the script, and of the next round.
        var positions: [ConnectionName: (script: Int, round: Int)] = [:]
        var sentCounts: [ConnectionName: Int] = [:]
    }

    /// A connection. Transports number theirs each on its own.
    struct ConnectionName: Hashable {
        let transport: Int
        let id: UInt64
    }

    /// A transport that a case may drop.
    private struct WeakMock: Sendable {
        weak let transport: MockTransport?
    }

    init(_ scenario: PeerScenario, in transport: any Transport) throws {
        place = scenario.place
        tls = scenario.tls
        authority = place == .nameless ? "nowhere.invalid:80" : "192.0.2.1:8080"
        scripts = try scenario.connections.map { try MockScript($0) }
        try scripts.forEach { try $0.check(isAlone: scripts.count == 1) }
        adopt(transport)
        // A mock's server does not hear of the end of a connection; the transport knows.
        signals.derive("closed") { [weak self] in self?.openCount == 0 ? 1 : 0 }
    }

    private var openCount: Int {
        state.withLock { $0.transports }.reduce(0) { $0 + ($1.transport?.connectionCount ?? 0) }
    }

    func adopt(_ transport: any Transport) {
        guard let mock = transport as? MockTransport else { return }
        let number = state.withLock { state in
            state.transports.append(WeakMock(transport: mock))
            return state.transports.count - 1
        }
        let reply = reply(for: number, on: mock.virtualClock)
        mock.add(Route("**").reply(reply))
        guard let tls, let certificates = try? TestCertificates.shared() else { return }
        mock.add(route(reply, tls, certificates))
    }

    /// The route of a server with TLS: for all requests where its certificates are others than the transport's own, and
    /// otherwise for those that trust other roots.
    private func route(_ reply: Reply, _ tls: PeerTLS, _ certificates: TestCertificates) -> Route {
        let shown = ServerCertificates(
            chain: certificates.chain(of: tls.certificate),
            stapledOCSPResponse: tls.staples ? certificates.staple : nil,
            isTrusted: tls.certificate == .sound
        )
        let route = Route("**")
        if tls.clientCertificate == .required { return route.reply(reply.failing(with: .clientIdentityRequired)) }
        guard tls.certificate == .sound, !tls.staples else { return route.reply(reply.presenting(shown)) }
        return route.when("that trusts other roots") { request in
            guard case .certificates(let roots) = request.options.tls.roots else { return true }
            return !roots.contains(certificates.root)
        }.reply(reply.presenting(ServerCertificates(chain: shown.chain, isTrusted: false)))
    }

    func stop() { signals.stop() }

    // MARK: What was seen

    var connections: [PeerConnection] {
        let (transports, counts) = state.withLock { ($0.transports, $0.sentCounts) }
        var order: [ConnectionName] = []
        var found: [ConnectionName: PeerConnection] = [:]
        for (number, holder) in transports.enumerated() {
            for request in holder.transport?.requests ?? [] {
                guard let connection = request.connection else { continue }
                let name = ConnectionName(transport: number, id: connection.id)
                if found[name] == nil { order.append(name) }
                found[name, default: PeerConnection()].requests.append(ObservedRequest(request))
                found[name]?.sentCount = counts[name] ?? 0
                if case .ip(let address, _) = connection.localAddress { found[name]?.clientAddress = address }
            }
        }
        return order.compactMap { found[$0] }
    }

    func note(sent count: Int, on name: ConnectionName) {
        state.withLock { $0.sentCounts[name, default: 0] += count }
    }

    // MARK: What is answered

    private func reply(for transport: Int, on clock: VirtualClock) -> Reply {
        switch place {
        case .refusing: return .fault(.connectionRefused)
        case .swallowing: return .fault(.stall(in: .connect))
        case .nameless: return .fault(.dnsFailure)
        case .listening: break
        }
        if let reply = scripts.first?.standingReply { return reply }
        return .handler { [weak self] request in
            guard let self, let connection = request.connection else { throw CancellationError() }
            let name = ConnectionName(transport: transport, id: connection.id)
            let round = try nextRound(on: name)
            signals.mark("head")
            signals.mark("request")
            let player = MockPlayer(signals: signals, clock: clock) { [weak self] in self?.note(sent: $0, on: name) }
            return try await player.reply(round, to: ObservedRequest(request))
        }
    }

    private func nextRound(on name: ConnectionName) throws -> MockRound {
        let (script, round) = state.withLock { state in
            let used = Set(state.positions.values.map(\.script)).count
            let position = state.positions[name] ?? (min(used, scripts.count - 1), 0)
            state.positions[name] = (position.script, position.round + 1)
            return position
        }
        return scripts[script].round(round)
    }
}

extension ObservedRequest {
    /// A request as a mock remembers it. `:authority` is what `Host` is on the wire.
    init(_ request: RecordedRequest) {
        let host = Field(name: "Host", value: request.head.authority ?? "")
        self.init(
            method: request.method.rawValue,
            target: (request.method == .connect ? request.head.authority : request.head.path) ?? "/",
            fields: [host] + request.headerFields.map { Field(name: $0.name.rawName, value: $0.value) }
        )
        body = Array(request.body)
        trailers = (request.trailers ?? [:]).map { Field(name: $0.name.rawName, value: $0.value) }
        isComplete = request.isComplete
    }
}
