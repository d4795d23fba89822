import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// The identifier of an exchange's stream (RFC 9113 §5.1.1), wherever the connection of the exchange is described.
@Suite("Identifiers of streams", .timeLimit(.minutes(1)))
struct StreamIdentifierTests {
    @Test(
        "exchanges on one HTTP/2 connection report the connection and their own streams",
        arguments: TestedEngine.allCases, [false, true]
    )
    func streams(_ engine: TestedEngine, _ hasContent: Bool) async throws {
        let server = try RawPeer(
            PeerScenario(
                .readHTTP2Preface, .frames([.settings(), .settingsAcknowledged]),
                .forever([
                    .readHTTP2Request,
                    .reply { request in
                        let stream = request.http2Head?.stream ?? 1
                        return [HTTP2Frame.ok(stream: stream), .data("ok", end: true, stream: stream)].bytes
                    },
                ])
            )
        )
        defer { server.stop() }
        let transport = engine.transport
        let body = hasContent ? RequestBody.restartable { ChunkSource(["abc", "def"]) } : .none
        for stream in [1, 3, 5] {
            let log = EventLog()
            let request = TransportRequest(hasContent ? .post : .get, at: server.authority, body: body).with {
                $0.options.httpVersion = .http2PriorKnowledge
                $0.events = log
            }
            let response = try await transport.fetch(request).response
            let connection = try #require(response.connection)
            #expect(connection.streamID == stream)
            #expect(connection.isReused == (stream > 1))
            #expect(response.timeline?.connection?.streamID == stream)
            #expect(log.acquired.map(\.streamID) == [stream])
            #expect(log.acquired.map(\.id) == [connection.id])
            let steps = ["connectionAcquired", "requestHeadSent", "requestFinished", "responseHead"]
            #expect(log.names.filter { steps.contains($0) } == steps)
        }
        #expect(server.connections.count == 1)
        await transport.shutdown()
    }

    @Test("an exchange over HTTP/1.1 has no stream", arguments: TestedEngine.allCases)
    func http1(_ engine: TestedEngine) async throws {
        let server = try ScriptedServer.answering()
        let transport = engine.transport
        let log = EventLog()
        let request = TransportRequest(.get, server.origin).with { $0.events = log }
        let connection = try #require(try await transport.fetch(request).response.connection)
        #expect(connection.streamID == nil)
        #expect(log.acquired.map(\.streamID) == [nil])
        await transport.shutdown()
    }
}

extension EventLog {
    /// The connections that exchanges have acquired.
    fileprivate var acquired: [TransportConnection] {
        events.compactMap { if case .connectionAcquired(let connection) = $0.kind { connection } else { nil } }
    }
}
