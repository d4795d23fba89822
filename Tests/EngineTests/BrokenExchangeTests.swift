import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The errors of exchanges that break. Their codes and phases depend neither on the engine nor on the HTTP version.
@Suite("Exchanges that break", .timeLimit(.minutes(1)))
struct BrokenExchangeTests {
    /// The steps of a server on one connection, after it has been opened.
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: HTTPVersion
        let steps: [PeerStep]
        var code = TransportError.Code.connectionLost
        /// Words of the error's message.
        var words = ""

        init(
            _ name: String,
            _ version: HTTPVersion,
            _ steps: [PeerStep],
            _ code: TransportError.Code = .connectionLost,
            words: String = ""
        ) {
            testDescription = "\(name) over \(version.rawValue)"
            self.version = version
            self.steps = steps
            self.code = code
            self.words = words
        }

        func peer() throws -> RawPeer {
            let opening: [PeerStep] = [.readHTTP2Preface, .frames([.settings(), .settingsAcknowledged])]
            return try RawPeer(PeerScenario(connections: [(version == .http2 ? opening : []) + steps]))
        }

        func request(
            _ server: RawPeer,
            _ method: HTTPRequest.Method = .get,
            body: RequestBody = .none
        ) -> TransportRequest {
            TransportRequest(method, at: server.authority, body: body).with {
                if version == .http2 { $0.options.httpVersion = .http2PriorKnowledge }
                $0.options.deadline = .seconds(30)
            }
        }
    }

    // MARK: Bodies

    private static func steps(http1 head: String, _ end: PeerStep...) -> [PeerStep] {
        [.readRequest, .send("HTTP/1.1 200 OK\r\n\(head)abc"), .await("read")] + end + [.awaitClose]
    }

    private static func steps(http2 end: PeerStep...) -> [PeerStep] {
        [.readHTTP2Request, .frames([.ok(), .data("abc")]), .await("read")] + end + [.awaitClose]
    }

    static let bodies = [
        Script(
            "the end of the connection before the length", .http1_1,
            steps(http1: "Content-Length: 9\r\n\r\n", .finishWriting), .bodyTruncated),
        Script(
            "the end of the connection within a chunk", .http1_1,
            steps(http1: "Transfer-Encoding: chunked\r\n\r\n9\r\n", .finishWriting), .bodyTruncated),
        Script("the end of the connection", .http2, steps(http2: .finishWriting), .bodyTruncated),
        Script("RST_STREAM with NO_ERROR", .http2, steps(http2: .frames([.reset(0)])), .bodyTruncated),
        Script("RST_STREAM with an error", .http2, steps(http2: .frames([.reset(2)])), words: "INTERNAL_ERROR"),
        Script(
            "GOAWAY with an error and the end of the connection", .http2,
            steps(http2: .frames([.goAway(last: 1, 2)]), .finishWriting), words: "INTERNAL_ERROR"),
        Script("a reset of the connection", .http1_1, steps(http1: "Content-Length: 9\r\n\r\n", .reset)),
        Script("a reset of the connection", .http2, steps(http2: .reset)),
    ]

    @Test(
        "a body that ends early is truncated, and a reset breaks the connection",
        arguments: TestedEngine.allCases, bodies
    )
    func body(_ engine: TestedEngine, _ script: Script) async throws {
        let server = try script.peer()
        defer { server.stop() }
        let transport = engine.transport
        let response = try await transport.send(script.request(server))
        #expect(try await response.body.next() == Data("abc".utf8))
        server.signals.open("read")
        let error = try #require(await failure(of: response.body))
        #expect(error.code == script.code, "\(error)")
        #expect(error.phase == .responseBody, "\(error)")
        #expect(error.processing == .unknown, "\(error)")
        #expect(error.message.contains(script.words) || script.words.isEmpty, "\(error)")
        await transport.shutdown()
    }

    private func failure(of body: ResponseBody) async -> TransportError? {
        do throws(TransportError) {
            while try await body.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    // MARK: Uploads

    static let uploads = [
        Script("a reset of the connection", .http1_1, [.readHead, .reset]),
        Script("a reset of the connection", .http2, [.readHTTP2Head, .reset]),
        Script("RST_STREAM", .http2, [.readHTTP2Head, .frames([.reset(8)]), .awaitClose]),
    ]

    @Test(
        "a loss while the content is being sent is in the phase of the request's body",
        arguments: TestedEngine.allCases, uploads
    )
    func upload(_ engine: TestedEngine, _ script: Script) async throws {
        let server = try script.peer()
        defer { server.stop() }
        let transport = engine.transport
        let source = ChunkSource(["a", "b", "c"], delay: .seconds(2))
        let request = script.request(server, .post, body: .oneShot(source))
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .connectionLost, "\(error)")
        #expect(error.phase == .requestBody, "\(error)")
        #expect(error.processing == .unknown, "\(error)")
        await transport.shutdown()
    }

    // MARK: Informational responses

    private static let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 40)
    private static let frames = Array(repeating: HTTP2Frame.headers([(":status", "103")]), count: 40)

    static let floods = [
        Script("a flood", .http1_1, [.readRequest, .send(hints), .awaitClose], .headTooLarge),
        Script("a flood", .http2, [.readHTTP2Request, .frames(frames), .awaitClose], .headTooLarge),
    ]

    @Test(
        "more informational responses than the limit are too large a head",
        arguments: TestedEngine.allCases, floods
    )
    func informational(_ engine: TestedEngine, _ script: Script) async throws {
        let server = try script.peer()
        defer { server.stop() }
        let transport = engine.transport
        let error = try #require(await transport.failure(of: script.request(server)))
        #expect(error.code == script.code, "\(error)")
        #expect(error.phase == .responseHead, "\(error)")
        #expect(error.message.contains("informational"), "\(error)")
        await transport.shutdown()
    }
}
