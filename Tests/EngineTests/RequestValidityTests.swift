import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// Whether a request is valid depends neither on the HTTP version nor on open connections.
@Suite("Invalid requests", .timeLimit(.minutes(1)))
struct RequestValidityTests {
    /// A request that no engine sends.
    struct Invalid: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: HTTPRequest.Method
        let fields: HTTPFields
        let body: RequestBody

        init(
            _ name: String,
            _ method: HTTPRequest.Method,
            _ fields: HTTPFields = [:],
            body: RequestBody = .none
        ) {
            testDescription = name
            self.method = method
            self.fields = fields
            self.body = body
        }
    }

    private static let content = RequestBody.bytes(Data("abc".utf8))
    private static let chunks = RequestBody.restartable { ChunkSource(["abc"]) }

    static let requests = [
        Invalid("HEAD with content", .head, body: content),
        Invalid("TRACE with content (RFC 9110 §9.3.8)", .trace, body: content),
        Invalid("a Content-Length that disagrees", .post, [.contentLength: "4"], body: content),
        Invalid("a Content-Length without content", .get, [.contentLength: "4"]),
        Invalid("a Content-Length for content of unknown length", .post, [.contentLength: "3"], body: chunks),
        Invalid("a Transfer-Encoding of the request's own", .post, [.transferEncoding: "gzip, chunked"], body: chunks),
        Invalid("a Transfer-Encoding without content", .get, [.transferEncoding: "chunked"]),
        Invalid("an expectation without content (RFC 9110 §10.1.1)", .get, [.expect: "100-continue"]),
        Invalid("an expectation in a list", .get, [.expect: "other, 100-Continue"]),
    ]

    @Test(
        "are rejected on a new connection and on an open one, and nothing is sent",
        arguments: TestedEngine.allCases, requests
    )
    func rejected(_ engine: TestedEngine, _ invalid: Invalid) async throws {
        for version in [HTTPVersionPolicy.http1Only, .http2PriorKnowledge] {
            let isHTTP2 = version == .http2PriorKnowledge
            let opening: [PeerStep] = [.readHTTP2Preface, .frames([.settings(), .settingsAcknowledged])]
            let http2: [PeerStep] = [.readHTTP2Request, .frames([.ok(), .data("ok", end: true)]), .readHTTP2Request]
            let http1: [PeerStep] = [
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readRequest,
            ]
            let server = try RawPeer(PeerScenario(connections: [isHTTP2 ? opening + http2 : http1]))
            defer { server.stop() }
            let transport = engine.transport
            let request = TransportRequest(invalid.method, at: server.authority, body: invalid.body).with {
                $0.head.headerFields = invalid.fields
                $0.options.httpVersion = version
                $0.options.deadline = .seconds(20)
            }
            try await expectRejection(of: request, by: transport)
            #expect(server.connections.isEmpty)
            let good = TransportRequest(.get, at: server.authority).with { $0.options.httpVersion = version }
            #expect(try await transport.text(good) == "ok")
            try await expectRejection(of: request, by: transport)
            #expect(server.requests.count == 1)
            await transport.shutdown()
        }
    }

    private func expectRejection(of request: TransportRequest, by transport: any Transport) async throws {
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .invalidRequest, "\(error)")
        #expect(error.phase == .options, "\(error)")
        #expect(error.processing == .notSent, "\(error)")
    }
}
