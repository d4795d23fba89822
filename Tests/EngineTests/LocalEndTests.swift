import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Local addresses and network interfaces.
@Suite("The local end of connections", .timeLimit(.minutes(1)))
struct LocalEndTests {
    private struct FixedResolver: NameResolver {
        let answer: [String]

        func addresses(of host: String) async throws -> [String] { answer }
    }

    @Test("an address for which no socket can be opened does not fail the next one", arguments: TestedEngine.allCases)
    func otherFamily(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport(resolver: FixedResolver(answer: ["::1", "127.0.0.1"]))
        let body = RequestBody.bytes(Data("content".utf8))
        var request = TransportRequest(.post, at: "two.test:\(server.port)", body: body)
        // An IPv4 address cannot be the local end of an IPv6 connection.
        request.options.localAddress = "127.0.0.9"
        let (response, data) = try await transport.fetch(request)
        #expect(data == Data("ok".utf8))
        #expect(response.connection?.remoteAddress == .ip("127.0.0.1", port: server.port))
        await transport.shutdown()
    }

    @Test("if no socket can be opened for any address, the request was not sent", arguments: TestedEngine.allCases)
    func noFamily(_ engine: TestedEngine) async throws {
        let transport = engine.transport(resolver: FixedResolver(answer: ["::1"]))
        var request = TransportRequest(.get, at: "six.test:9")
        request.options.localAddress = "127.0.0.9"
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectFailed, "\(error)")
        #expect(error.phase == .connect)
        #expect(error.processing == .notSent)
        await transport.shutdown()
    }

    @Test("a local address that is a name is not looked up", arguments: TestedEngine.allCases)
    func name(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        var request = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
        request.options.localAddress = "localhost"
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectFailed, "\(error)")
        #expect(error.processing == .notSent)
        await transport.shutdown()
    }

    @Test("a local address does not replace the interface", arguments: TestedEngine.allCases)
    func both(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        var request = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
        request.options.networkInterface = "nowhere0"
        request.options.localAddress = "127.0.0.1"
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectFailed, "\(error)")
        #expect(server.connections.isEmpty)
        await transport.shutdown()
    }

    @Test(
        "a request without a local end does not use a connection that has one",
        arguments: TestedEngine.allCases, ["127.0.0.9", nil]
    )
    func reuse(_ engine: TestedEngine, _ address: String?) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        let free = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
        var bound = free
        bound.options.localAddress = address
        bound.options.networkInterface = address == nil ? "lo" : nil
        for request in [bound, free, bound, free] { #expect(try await transport.text(request) == "ok") }
        #expect(server.connections.count == 2)
        await transport.shutdown()
    }
}
