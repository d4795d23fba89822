import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A storm", .timeLimit(.minutes(5)))
struct StormTests {
    /// The outcome of one request.
    private struct StormResult {
        let request: StormRequest
        let result: Result<Data, TransportError>
        let events: EventLog
    }

    private static let requestCount = 10_000
    private static let taskCount = 64

    /// The seed, the same in every run unless one is set: runs differ enough by their timing.
    private static var seed: UInt64 {
        getenv("AIRFRAME_STORM_SEED").flatMap { UInt64(String(cString: $0)) } ?? 20_260
    }

    @Test(
        """
        under resets, stalls, half-closes and truncated responses each of 10,000 requests ends; idempotent requests are \
        retried, others are not (RFC 9110 §9.2.2); and no processed request is reported as unprocessed
        """
    )
    func storm() async throws {
        let seed = Self.seed
        print("AIRFRAME_STORM_SEED=\(seed)")
        let server = try StormServer(requestCount: Self.requestCount, seed: seed)
        let sources = StormSources()
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnections = 24
        configuration.idleConnectionAge = .milliseconds(200)
        var transport: SocketTransport? = SocketTransport(configuration: configuration)

        let outcomes = await run(seed, server, sources, try #require(transport))
        #expect(outcomes.count == Self.requestCount)

        // Everything is released: slots, tasks, body sources.
        let statistics = try #require(transport?.statistics)
        #expect(statistics.busyConnectionCount == 0)
        #expect(statistics.waitingRequestCount == 0)
        await transport?.shutdown()
        transport = nil
        #expect(try await eventually { ProcessCensus.socketCount(to: server.port) == 0 })
        #expect(try await eventually { sources.liveCount == 0 })

        server.stop()
        let reads = server.reads
        let faults = outcomes.flatMap { $0.request.faults($0.result, $0.events, reads: reads[$0.request.id]) }
        #expect(faults.isEmpty, "\(faults.count) faults: \(faults.prefix(5).joined(separator: "\n"))")

        // There were faults, and most requests succeeded.
        let successCount = outcomes.count { (try? $0.result.get()) != nil }
        #expect(successCount > Self.requestCount / 2)
        #expect(successCount < Self.requestCount)
        #expect(outcomes.contains { $0.events.names.contains("decided") })
    }

    private func run(
        _ seed: UInt64,
        _ server: StormServer,
        _ sources: StormSources,
        _ transport: SocketTransport
    ) async -> [StormResult] {
        await Storm.run(count: Self.requestCount, taskCount: Self.taskCount) { id in
            let request = StormRequest(id, seed: seed)
            let events = EventLog()
            let message = request.request(to: server.origin, sources, events)
            let result = await Storm.send(message, on: transport, patience: request.patience)
            return StormResult(request: request, result: result, events: events)
        }
    }
}
