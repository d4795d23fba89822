import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("Permits to open a connection that other requests wait for", .timeLimit(.minutes(1)))
struct PermitTests {
    @Test("a permit that a cancelled waiter returns goes to the next one, and the others still wait")
    func cancelledWaiter() throws {
        let bench = try PoolBench()
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<4).compactMap { _ in bench.askForPlace() }
        try #require(waiters.count == 4)
        bench.pool.returnPermit(to: entry)
        bench.pool.giveUp(waiters[0], entry)
        #expect(bench.isPermit(waiters[1]))
        #expect(waiters[2...].allSatisfy { $0.takeGrant() == nil })
        let connection = bench.add(to: entry, capacity: 10)
        #expect(waiters[2...].allSatisfy { bench.isStream($0, of: connection) })
    }

    @Test("a request of a trust evaluation needs no permit of the total, and its connection is not kept beyond it")
    func evaluation() throws {
        let bench = try PoolBench { $0.total = 1 }
        let handshake = try #require(bench.askForPermit("http://api.test"))
        let waiter = try #require(bench.askForPlace("http://other.test"))
        let other = try PoolBench()
        EvaluationScope.$current.withValue(EvaluationScope(other.pool)) {
            #expect(bench.askForPlace("http://ocsp.test") != nil, "the permits of another pool are held")
        }
        let scope = EvaluationScope(bench.pool)
        let extra = EvaluationScope.$current.withValue(scope) { bench.askForPermit("http://crl.test") }
        scope.end()
        EvaluationScope.$current.withValue(scope) {
            #expect(bench.askForPlace("http://late.test") != nil, "the evaluation has ended")
        }
        let query = bench.add(to: try #require(extra), capacity: 1)
        #expect(bench.pool.statistics.connectionCount == 2)
        bench.pool.giveBack(query)
        #expect(bench.pool.statistics.connectionCount == 1)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
        #expect(waiter.takeGrant() == nil)
        bench.pool.returnPermit(to: handshake)
        #expect(bench.isPermit(waiter))
    }

    @Test("a request of a trust evaluation does not wait for the connection that another one opens")
    func concurrentQueries() throws {
        let bench = try PoolBench { $0.total = 1 }
        _ = try #require(bench.askForPermit("http://api.test"))
        EvaluationScope.$current.withValue(EvaluationScope(bench.pool)) {
            for _ in 0..<2 { #expect(bench.askForPermit("http://crl.test") != nil) }
        }
    }

    @Test("a returned permit goes to a waiter that cannot share the connection that is being opened")
    func exclusive() throws {
        let bench = try PoolBench { $0.perOrigin = 2 }
        let entry = try #require(bench.askForPermit(isMultiplexing: false))
        #expect(bench.askForPermit(isMultiplexing: false) === entry)
        let waiter = try #require(bench.askForPlace(isMultiplexing: false))
        bench.pool.returnPermit(to: entry)
        #expect(bench.isPermit(waiter))
    }

    /// Why the first request of a burst does not open its connection.
    enum Reason: CaseIterable, Sendable {
        case cancellation
        case deadline
        case invalidHead
    }

    /// Answers once the gate is open.
    private struct GatedResolver: NameResolver {
        let gate = Signal()

        func addresses(of host: String) async throws -> [String] {
            while !gate.isUp { try await Task.sleep(for: .milliseconds(1)) }
            return ["127.0.0.1"]
        }
    }

    @Test("a burst opens one connection, even if its first request ends before that", arguments: Reason.allCases)
    func burst(_ reason: Reason) async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            try connection.answerAll()
        }
        let resolver = GatedResolver()
        var configuration = SocketTransport.Configuration()
        configuration.resolver = resolver
        let transport = SocketTransport(configuration: configuration)
        let request = TransportRequest(.get, "http://burst.test:\(server.port)/").with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
        let failing = request.with {
            switch reason {
            case .cancellation: break
            case .deadline: $0.options.deadline = .seconds(2)
            case .invalidHead: $0.head.path = "/a b"
            }
        }
        let first = Task { await transport.failure(of: failing) }
        if reason == .invalidHead {
            _ = await first.value
        } else {
            try await eventually { transport.statistics.connectionCount == 1 }
        }
        let others = (0..<15).map { _ in Task { try await transport.text(request) } }
        if reason == .cancellation {
            try await eventually { transport.statistics.waitingRequestCount == others.count }
            first.cancel()
        }
        let error = try #require(await first.value)
        let codes: [Reason: TransportError.Code] = [
            .cancellation: .cancelled, .deadline: .timedOut, .invalidHead: .invalidRequest,
        ]
        #expect(error.code == codes[reason])
        // One of the others opens the connection.
        try await eventually { transport.statistics.waitingRequestCount == others.count - 1 }
        #expect(transport.statistics.connectionCount == 1)
        resolver.gate.raise()
        for other in others { #expect(try await other.value == "ok") }
        #expect(server.connections.count == 1)
    }
}
