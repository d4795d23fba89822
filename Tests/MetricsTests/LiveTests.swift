import AirframeConformance
import AirframeCore
import AirframeMetrics
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import CoreMetrics
import Foundation
import MetricsTestKit
import Testing

@Suite("Metrics of real exchanges", .timeLimit(.minutes(1)))
struct LiveTests {
    private func send(_ session: Session, _ url: String, body: Data) async -> AFDataResponse<Data> {
        await session.upload(body, to: url) { $0.transportOptions.proxy = ProxyPolicy.none }
            .serializingData().response
    }

    @Test("bytes are those on the wire; a connection is created once and reused", arguments: TestedEngine.allCases)
    func exchanges(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readHead().lowercased()
                let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                _ = try connection.read(length.flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0)
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
            }
        }
        let metered = Metered(engine.transport)
        for _ in 0..<3 {
            let response = await send(metered.session, "http://localhost:\(server.port)/", body: Data(count: 1000))
            try #require(response.value?.count == 4)
        }
        try await metered.settle()
        let metrics = metered.metrics
        let labels = ["server.address": "localhost", "server.port": String(server.port)]
        #expect(metrics.total("http.client.requests", labels) == 3)
        #expect(metrics.total("http.client.bytes.sent", labels) == 3000)
        #expect(metrics.total("http.client.bytes.received", labels) == 12)
        #expect(metrics.total("http.client.connections.created", labels) == 1)
        #expect(metrics.total("http.client.connections.reused", labels) == 2)
        let count = { (phase: String) in metrics.durations("http.client.phase.duration", ["phase": phase]).count }
        #expect(count("pool") == 3)
        #expect(count("dns") == 1)
        #expect(count("connect") == 1)
        #expect(count("first_byte") == 3)
        #expect(count("body") == 3)
        #expect(metrics.durations("http.client.phase.duration").allSatisfy { $0 >= .zero })
        for meter in metrics.meters { #expect(meter.lastValue == 0, "\(meter)") }
    }

    @Test("a refused connection is a failure to connect", arguments: TestedEngine.allCases)
    func refused(engine: TestedEngine) async throws {
        let server = try ScriptedServer { _ in }
        let port = server.port
        server.stop()
        let metered = Metered(engine.transport)
        let response = await send(metered.session, "http://127.0.0.1:\(port)/", body: Data())
        try #require(response.error?.transportError?.code == .connectFailed)
        #expect(
            metered.metrics.total("http.client.failures", ["phase": "connect", "error.type": "connectFailed"]) == 1)
        #expect(metered.metrics.durations("http.client.phase.duration", ["phase": "connect"]).isEmpty)
    }
}
