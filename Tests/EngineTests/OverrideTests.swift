import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

@Suite("Overrides of name resolution", .timeLimit(.minutes(1)))
struct OverrideTests {
    private struct LoopbackResolver: NameResolver {
        func addresses(of host: String) async throws -> [String] { ["127.0.0.1"] }
    }

    private func request(_ host: String, _ port: Int, _ overrides: [(String, [String])]) -> TransportRequest {
        var request = TransportRequest(.get, at: "\(host):\(port)")
        request.options.resolveOverrides = overrides.map { ResolveOverride(host: $0.0, port: port, addresses: $0.1) }
        return request
    }

    @Test("an address that is not an IP address is skipped", arguments: TestedEngine.allCases)
    func name(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        let request = request("over.test", server.port, [("over.test", ["db", "127.0.0.1", ""])])
        #expect(try await transport.text(request) == "ok")
        await transport.shutdown()
    }

    @Test(
        "an override of another host does not affect a request",
        arguments: TestedEngine.allCases, ["", "*", "-name.test", "+name.test", "other.test", "::1"]
    )
    func otherHost(_ engine: TestedEngine, _ host: String) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport(resolver: LoopbackResolver())
        for addresses in [["127.0.0.2"], ["db"], []] {
            let request = request("name.test", server.port, [(host, addresses), ("over.test", ["127.0.0.3"])])
            let response = try await transport.send(request)
            #expect(response.connection?.remoteAddress == .ip("127.0.0.1", port: server.port))
            _ = try await response.body.collect(upTo: 100)
        }
        await transport.shutdown()
    }

    @Test("the first of two overrides of one host applies", arguments: TestedEngine.allCases)
    func first(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        let request = request("over.test", server.port, [("over.test", ["127.0.0.1"]), ("OVER.test", ["127.0.0.2"])])
        #expect(try await transport.text(request) == "ok")
        await transport.shutdown()
    }

    @Test(
        "an override without an IP address fails the requests for its host",
        arguments: TestedEngine.allCases, [["db"], []]
    )
    func noAddress(_ engine: TestedEngine, _ addresses: [String]) async throws {
        let transport = engine.transport(resolver: LoopbackResolver())
        let error = try #require(await transport.failure(of: request("over.test", 9, [("over.test", addresses)])))
        #expect(error.code == .nameResolutionFailed, "\(error)")
        #expect(error.phase == .resolve)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("over.test"))
        await transport.shutdown()
    }
}
