import AirframeMock
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("A storm over HTTP/2", .timeLimit(.minutes(10)), .enabled(if: Peers.areExpected), .serialized)
struct HTTP2StormTests {
    private struct StormResult {
        let request: HTTP2StormRequest
        let result: Result<Data, TransportError>
        let log: EventLog
    }

    /// The number that `make endure` sets, or one that takes seconds.
    private static func count(_ name: String, standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test(
        """
        under refused and reset streams, GOAWAY, cut connections and malformed responses each request ends; no processed \
        request is reported as unprocessed; only safe retries happen; and no fault is delivered as a response
        """)
    func storm() async throws {
        let count = Self.count("AIRFRAME_HTTP2_STORM", standard: 1_000)
        let origin = "http://127.0.0.1:\(try Peers.required().port("http2FaultsPlain"))"
        let storm = UUID().uuidString
        var generator = SeededGenerator(seed: 20_260)
        let requests = (0..<count).map { HTTP2StormRequest($0, of: storm, &generator) }
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnections = 8
        let transport = SocketTransport(configuration: configuration)

        let outcomes = await run(requests, origin, transport)
        #expect(outcomes.count == count)
        #expect(transport.statistics.busyConnectionCount == 0)
        #expect(transport.statistics.waitingRequestCount == 0)

        let listing = TransportRequest(.get, origin + "/reads").with { $0.options.httpVersion = .http2PriorKnowledge }
        let reads = try JSONDecoder().decode([String: Int].self, from: try await transport.fetch(listing).body)
        let defects = outcomes.flatMap { $0.request.defects($0.result, $0.log, reads: reads[$0.request.id] ?? 0) }
        #expect(defects.isEmpty, "\(defects.count) defects: \(defects.prefix(5).joined(separator: "\n"))")

        // There were faults, and most requests succeeded.
        let successCount = outcomes.count { (try? $0.result.get()) != nil }
        // Of 1,000 requests about 130 have a fault that fails them. One that ends a connection fails the other
        // exchanges on it; their number depends on timing. Between 747 and 799 succeeded in four runs.
        #expect(successCount > count * 3 / 5)
        #expect(successCount < count)
        await transport.shutdown()
        #expect(transport.statistics.connectionCount == 0)
    }

    private func run(
        _ requests: [HTTP2StormRequest],
        _ origin: String,
        _ transport: SocketTransport
    ) async -> [StormResult] {
        await Storm.run(count: requests.count, taskCount: 32) { number in
            let log = EventLog()
            let message = requests[number].message(to: origin, log)
            let result = await Storm.send(message, on: transport, patience: requests[number].patience)
            return StormResult(request: requests[number], result: result, log: log)
        }
    }

    @Test("sequential requests on one connection leave memory and descriptors unchanged")
    func oneConnection() async throws {
        let count = Self.count("AIRFRAME_HTTP2_REQUESTS", standard: 5_000)
        let origin = try Peers.required().http("nghttpdPlain")
        let request = TransportRequest(.get, origin + "/64.bin").with { $0.options.httpVersion = .http2PriorKnowledge }
        let transport = SocketTransport()
        var connections: Set<UInt64> = []
        var early: (memory: Int, descriptors: Int) = (0, 0)
        for number in 0..<count {
            let (response, body) = try await transport.fetch(request)
            guard body.count == 64, let id = response.connection?.id else {
                Issue.record("request \(number): \(body.count) bytes")
                return
            }
            connections.insert(id)
            if number == count / 10 { early = (ProcessResources.residentMiB, ProcessResources.descriptorCount) }
        }
        #expect(connections.count == 1)
        if !ProcessResources.hasSanitizer { #expect(ProcessResources.residentMiB - early.memory <= 4) }
        #expect(ProcessResources.descriptorCount <= early.descriptors)
        #expect(transport.statistics.connectionCount == 1)
    }
}
