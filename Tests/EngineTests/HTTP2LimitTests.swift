import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The limits of an exchange over HTTP/2 begin and end as over HTTP/1.1.
@Suite("Limits over HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2LimitTests {
    private static let limit = Duration.milliseconds(300)

    private func peer(_ steps: [PeerStep]) throws -> RawPeer {
        let settings = [HTTP2Frame.settings(), .settingsAcknowledged]
        let opening: [PeerStep] = [.readHTTP2Preface, .frames(settings), .readHTTP2Request]
        return try RawPeer(PeerScenario(connections: [opening + steps]))
    }

    private func request(_ server: RawPeer, _ method: HTTPRequest.Method = .get) -> TransportRequest {
        TransportRequest(method, at: server.authority).with {
            $0.options.httpVersion = .http2PriorKnowledge
            $0.options.deadline = .seconds(20)
        }
    }

    @Test("the limit on idle writing ends with the request", arguments: TestedEngine.allCases)
    func writeIdle(_ engine: TestedEngine) async throws {
        let server = try peer([
            .frames([.ok(), .data("abc")]), .await("go"), .frames([.data("def", end: true)]), .awaitClose,
        ])
        defer { server.stop() }
        let transport = engine.transport
        let response = try await transport.send(request(server).with { $0.options.limits.writeIdle = Self.limit })
        #expect(try await response.body.next() == Data("abc".utf8))
        try await Task.sleep(for: Self.limit * 3)
        server.signals.open("go")
        #expect(try await response.body.next() == Data("def".utf8))
        #expect(try await response.body.next() == nil)
        await transport.shutdown()
    }

    @Test("the limit on idle reading applies to the content", arguments: TestedEngine.allCases)
    func readIdle(_ engine: TestedEngine) async throws {
        let server = try peer([.frames([.ok(), .data("abc")]), .awaitClose])
        defer { server.stop() }
        let transport = engine.transport
        let response = try await transport.send(request(server).with { $0.options.limits.readIdle = Self.limit })
        #expect(try await response.body.next() == Data("abc".utf8))
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .responseBody)
        #expect(error?.message.contains("300 ms") == true)
        await transport.shutdown()
    }

    @Test("a request with empty content ends with its head", arguments: TestedEngine.allCases)
    func emptyContent(_ engine: TestedEngine) async throws {
        let server = try peer([.awaitClose])
        defer { server.stop() }
        let transport = engine.transport
        let log = EventLog()
        var request = request(server, .post)
        request.body = .bytes(Data())
        request.options.limits.firstByte = Self.limit
        request.events = log
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .timedOut)
        #expect(error.phase == .responseHead)
        #expect(log.names.suffix(3) == ["requestHeadSent", "requestFinished", "failed"])
        await transport.shutdown()
    }
}
