import AirframeConformance
import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTracing
import AirframeTransport
import Foundation
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

@Suite("Traces of real exchanges", .timeLimit(.minutes(1)))
struct LiveTests {
    let tracer = TestTracer()

    private func get(_ session: Session, _ url: String, roots: TrustRoots? = nil) async -> AFDataResponse<Data> {
        await session.request(url) {
            $0.transportOptions.proxy = ProxyPolicy.none
            if let roots { $0.transportOptions.tls.roots = roots }
        }
        .serializingData().response
    }

    @Test(
        "a new connection has phases, a reused one has none, and each head has its own context",
        arguments: TestedEngine.allCases)
    func connections(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                let lines = head.split(separator: "\r\n").filter { $0.lowercased().hasPrefix("traceparent:") }
                let body = lines.joined(separator: "\n")
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        let session = Session(engine.transport, tracer: tracer)
        var received: [String] = []
        await tracer.withSpan("caller") { _ in
            for _ in 0..<2 {
                let response = await get(session, "http://localhost:\(server.port)/")
                received.append(String(decoding: response.value ?? Data(), as: UTF8.self).lowercased())
            }
        }
        let trace = try await tracer.spans()
        try #require(trace.attempts.count == 2)
        #expect(received == trace.attempts.map { "traceparent: \($0.traceparent)" })
        let phases = trace.children(of: try #require(trace.attempts.first))
        #expect(phases.map(\.operationName).contains("DNS"))
        let connected = phases.filter { $0.operationName == "connect" && $0.status == nil }
        #expect(connected.count == 1)
        #expect(connected.first?["network.peer.port"]?.toSpanAttribute() == .int64(Int64(server.port)))
        #expect(trace.children(of: trace.attempts[1]).isEmpty)
        #expect(trace.attempts[1]["airframe.connection.reused"] == true)
        trace.expectNesting()
    }

    @Test(
        "a refused connection is an error of the phase, the attempt and the request", arguments: TestedEngine.allCases)
    func refused(engine: TestedEngine) async throws {
        let server = try ScriptedServer { _ in }
        let port = server.port
        server.stop()
        let response = await get(Session(engine.transport, tracer: tracer), "http://127.0.0.1:\(port)/")
        try #require(response.error?.transportError?.code == .connectFailed)
        let trace = try await tracer.spans()
        #expect(trace.named("connect").map { $0["error.type"] } == ["connectFailed"])
        #expect(trace.attempts.map { $0["error.type"] } == ["connectFailed"])
        trace.expectNesting()
    }

    @Test("a name without an address is an error of the resolution", arguments: TestedEngine.allCases)
    func unknownName(engine: TestedEngine) async throws {
        _ = await get(Session(engine.transport, tracer: tracer), "http://no-such-host.invalid/")
        let trace = try await tracer.spans()
        #expect(trace.named("DNS").map { $0["error.type"] } == ["nameResolutionFailed"])
        #expect(trace.named("connect").isEmpty)
        trace.expectNesting()
    }

    @Test(
        "a request that is cancelled while the server is silent ends its spans once", arguments: TestedEngine.allCases)
    func cancelled(engine: TestedEngine) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            _ = connection.peerCloses(within: .seconds(40))
        }
        let session = Session(engine.transport, tracer: tracer)
        let request = session.request("\(server.origin)/") { $0.transportOptions.proxy = ProxyPolicy.none }
        async let response = request.serializingData().response
        while server.connections.first?.receivedText.hasSuffix("\r\n\r\n") != true {
            try await Task.sleep(for: .milliseconds(1))
        }
        request.cancel()
        _ = await response
        let trace = try await tracer.spans()
        #expect(trace.attempts.map { $0["error.type"] } == ["cancelled"])
        trace.expectNesting()
    }

    @Test("a handshake is a span with the negotiated parameters", .needsPeers, arguments: TestedEngine.allCases)
    func handshake(engine: TestedEngine) async throws {
        let peers = try Peers.required()
        let roots = TrustRoots.pemFile(path: try peers.path("root"))
        let url = try peers.https() + "/static/64.bin"
        let response = await get(Session(engine.transport, tracer: tracer), url, roots: roots)
        try #require(response.value?.count == 64)
        let trace = try await tracer.spans()
        let tls = try #require(trace.named("TLS").first)
        #expect(tls["tls.protocol.version"] == "1.3")
        #expect(tls["tls.cipher"] != nil)
        #expect(tls.parentSpanID == trace.attempts.first?.spanID)
        #expect(trace.named("connect").contains { $0.end <= tls.start })
        #expect(trace.attempts.first?["http.response.body.size"] == 64)
        trace.expectNesting()
    }

    @Test("a rejected certificate is an error of the handshake", .needsPeers, arguments: TestedEngine.allCases)
    func refusedCertificate(engine: TestedEngine) async throws {
        let peers = try Peers.required()
        let roots = TrustRoots.pemFile(path: try peers.path("root"))
        let url = try peers.https("httpsExpired") + "/"
        _ = await get(Session(engine.transport, tracer: tracer), url, roots: roots)
        let trace = try await tracer.spans()
        #expect(trace.named("TLS").map { $0["error.type"] } == ["trustRefused"])
        #expect(trace.attempts.map { $0["error.type"] } == ["trustRefused"])
        trace.expectNesting()
    }
}
