import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeCurl

@Suite("421 (Misdirected Request, RFC 9110 §15.5.20)", .timeLimit(.minutes(1)))
struct MisdirectionTests {
    let transport = CurlTransport()

    /// A server that answers the first `count` connections with 421, and all others with 200 and their number.
    private func server(refusing count: Int) throws -> ScriptedServer {
        let number = Atomic(0)
        return try ScriptedServer { connection in
            let index = number.add(1, ordering: .relaxed).newValue
            while true {
                try connection.readRequest()
                try connection.respond(index <= count ? "421 Misdirected Request" : "200 OK", body: "\(index)")
            }
        }
    }

    @Test(
        "the request is sent again once on a new connection, regardless of its method",
        arguments: [HTTPRequest.Method.get, .post])
    func retried(method: HTTPRequest.Method) async throws {
        let server = try server(refusing: 1)
        let log = EventLog()
        let isPost = method == .post
        let body = isPost ? RequestBody.restartable(length: 6) { ChunkSource(["abc", "def"]) } : .none
        let (response, text) = try await transport.fetch(
            TransportRequest(method, server.origin, body: body).with { $0.events = log })
        #expect(response.head.status == .ok)
        #expect(text == Data("2".utf8))
        #expect(server.connections.count == 2)
        let reasons = log.decisions.filter { if case .retried = $0.kind { true } else { false } }.map(\.reason)
        #expect(reasons == ["the server answered 421 (Misdirected Request, RFC 9110 §15.5.20)"])
        #expect(log.names.filter { $0 == "responseHead" }.count == 1)
        #expect(log.endCount == 1)
    }

    @Test("a second 421 is the response")
    func twice() async throws {
        let server = try server(refusing: 2)
        let (response, text) = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(response.head.status.code == 421)
        #expect(text == Data("2".utf8))
        #expect(server.connections.count == 2)
    }

    @Test("the 421 is the response if the content cannot be read again")
    func notReplayable() async throws {
        let server = try server(refusing: 1)
        let body = RequestBody.oneShot(length: 1, ChunkSource(["a"]))
        let (response, _) = try await transport.fetch(TransportRequest(.post, server.origin, body: body))
        #expect(response.head.status.code == 421)
        #expect(server.connections.count == 1)
    }

    @Test("over HTTP/2 the new connection is a separate one as well")
    func http2() async throws {
        func answers(_ status: String, _ text: String) -> [PeerStep] {
            let opening: [PeerStep] = [.readHTTP2Preface, .frames([.settings(), .settingsAcknowledged])]
            let response: [HTTP2Frame] = [.headers([(":status", status)]), .data(text, end: true)]
            return opening + [.readHTTP2Request, .frames(response), .awaitClose]
        }
        let server = try RawPeer(PeerScenario(connections: [answers("421", "1"), answers("200", "2")]))
        defer { server.stop() }
        let request = TransportRequest(.get, "http://\(server.authority)/").with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
        let (response, text) = try await transport.fetch(request)
        #expect(response.head.status == .ok)
        #expect(text == Data("2".utf8))
        #expect(server.connections.count == 2)
    }
}
