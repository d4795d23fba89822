import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// A server that resets a stream with HTTP_1_1_REQUIRED (RFC 9113 §7) requires the request over HTTP/1.1.
@Suite("HTTP_1_1_REQUIRED", .timeLimit(.minutes(1)))
struct HTTP1RequirementTests {
    /// The content of a request.
    enum Content: CaseIterable {
        case none
        case bytes
        case stream

        var body: RequestBody {
            switch self {
            case .none: .none
            case .bytes: .bytes(Data("abcdef".utf8))
            case .stream: .restartable { ChunkSource(["abc", "def"]) }
            }
        }
    }

    /// A server that requires HTTP/1.1 for the first request of its first connection, or for the second one.
    private static func server(answering isAnswering: Bool) throws -> RawPeer {
        let opening: [PeerStep] = [.readHTTP2Preface, .frames([.settings(), .settingsAcknowledged])]
        let answer: [PeerStep] = [.readHTTP2Request, .frames([.ok(), .data("new", end: true)])]
        let refusal: [PeerStep] = [
            .readHTTP2Request,
            .reply { request in HTTP2Frame.reset(13, stream: request.http2Head?.stream ?? 1).bytes },
            .awaitClose,
        ]
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nold\r\n0\r\n\r\n"
        return try RawPeer(
            PeerScenario(
                tls: PeerTLS(protocols: ["h2", "http/1.1"]),
                connections: [
                    opening + (isAnswering ? answer : []) + refusal, [.forever([.readRequest, .send(chunks)])],
                ]
            )
        )
    }

    private func request(_ server: RawPeer, body: RequestBody) throws -> TransportRequest {
        let root = try TestCertificates.shared().root
        return TransportRequest(body.isNone ? .get : .post, "https://\(server.authority)/", body: body).with {
            $0.options.tls.roots = .certificates([root])
        }
    }

    @Test(
        "the request is sent again once over HTTP/1.1, regardless of its method and of earlier requests",
        arguments: TestedEngine.allCases, [false, true]
    )
    func repeated(_ engine: TestedEngine, _ isReused: Bool) async throws {
        for content in Content.allCases {
            let server = try Self.server(answering: isReused)
            defer { server.stop() }
            let transport = engine.transport
            if isReused { #expect(try await transport.text(request(server, body: .none)) == "new") }
            let log = EventLog()
            let request = try request(server, body: content.body).with { $0.events = log }
            let (response, text) = try await transport.fetch(request)
            #expect(text == Data("old".utf8))
            #expect(response.connection?.httpVersion == .http1_1)
            #expect(response.connection?.streamID == nil)
            #expect(server.connections.count == 2)
            let texts = server.connections.last?.requests.map(\.text)
            #expect(texts == [content == .none ? "" : "abcdef"])
            let retries = log.decisions.count { if case .retried = $0.kind { true } else { false } }
            #expect(retries == 1)
            #expect(log.names.count { $0 == "responseHead" } == 1)
            #expect(log.endCount == 1)
            await transport.shutdown()
        }
    }

    @Test(
        "a request that cannot be sent again, or for HTTP/2 only, fails as not processed",
        arguments: TestedEngine.allCases, [false, true]
    )
    func failed(_ engine: TestedEngine, _ isHTTP2Only: Bool) async throws {
        let server = try Self.server(answering: false)
        defer { server.stop() }
        let transport = engine.transport
        let body: RequestBody =
            isHTTP2Only ? .bytes(Data("abcdef".utf8)) : .oneShot(ChunkSource(["abc", "def"]))
        let request = try request(server, body: body).with {
            if isHTTP2Only { $0.options.httpVersion = .http2Only }
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectionLost, "\(error)")
        #expect(error.processing == .notProcessed, "\(error)")
        #expect(error.message.contains("HTTP_1_1_REQUIRED"), "\(error)")
        #expect(server.connections.count == 1)
        await transport.shutdown()
    }
}
