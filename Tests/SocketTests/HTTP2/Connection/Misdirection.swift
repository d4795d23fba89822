import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("421 (Misdirected Request, RFC 9110 §15.5.20)", .timeLimit(.minutes(1)))
struct Misdirected {
    let transport = SocketTransport()

    /// A server that answers the first request of each of its first `count` connections with 421, and all others with
    /// the number of the connection.
    private func server(_ count: Int) throws -> ScriptedServer {
        let number = Atomic(0)
        return try ScriptedServer { connection in
            let index = number.add(1, ordering: .relaxed).newValue
            try connection.beginHTTP2()
            var isFirst = true
            while true {
                let frame = try connection.readFrame()
                guard frame.type <= 1, frame.flags & HTTP2Frame.endStream != 0 else { continue }
                let status = isFirst && index <= count ? "421" : "200"
                isFirst = false
                try connection.send([
                    .headers([(":status", status)], stream: frame.stream),
                    .data("\(index)", end: true, stream: frame.stream),
                ])
            }
        }
    }

    @Test(
        "the request is sent again once on another connection, regardless of its method",
        arguments: [HTTPRequest.Method.get, .post])
    func retried(method: HTTPRequest.Method) async throws {
        let server = try server(1)
        let log = EventLog()
        let body =
            method == .post ? RequestBody.restartable(length: 6) { ChunkSource(["abc", "def"]) } : .none
        let request = TransportRequest.http2(server, body: body).with { $0.events = log }
        let (response, text) = try await transport.fetch(request)
        #expect(response.head.status == 200)
        #expect(text == Data("2".utf8))
        #expect(server.connections.count == 2)
        let reasons = log.decisions.filter { if case .retried = $0.kind { true } else { false } }.map(\.reason)
        #expect(reasons == ["the server answered 421 (Misdirected Request, RFC 9110 §15.5.20)"])
        #expect(log.names.filter { $0 == "responseHead" }.count == 1)
        #expect(log.endCount == 1)
        // Later requests avoid the first connection.
        #expect(try await transport.text(.http2(server)) == "2")
    }

    @Test("a second 421 is delivered as the response")
    func twice() async throws {
        let server = try server(2)
        let (response, text) = try await transport.fetch(.http2(server))
        #expect(response.head.status.code == 421)
        #expect(text == Data("2".utf8))
        #expect(server.connections.count == 2)
    }

    @Test("if the content cannot be read again, the 421 is delivered as the response")
    func notReplayable() async throws {
        let server = try server(1)
        let body = RequestBody.oneShot(ChunkSource(["a", "b"]))
        let (response, _) = try await transport.fetch(.http2(server, body: body))
        #expect(response.head.status.code == 421)
        #expect(server.connections.count == 1)
    }

    @Test("a 421 over HTTP/1.1 is retried on another connection")
    func http1() async throws {
        let number = Atomic(0)
        let server = try ScriptedServer { connection in
            let index = number.add(1, ordering: .relaxed).newValue
            while true {
                try connection.readHead()
                let status = index == 1 ? "421 Misdirected Request" : "200 OK"
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 1\r\n\r\n\(index)")
            }
        }
        #expect(try await transport.text(TransportRequest(.get, server.origin)) == "2")
        #expect(server.connections.count == 2)
        #expect(transport.statistics.connectionCount == 1)
    }
}
