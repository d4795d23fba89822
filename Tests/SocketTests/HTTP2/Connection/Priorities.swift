import AirframeConformance
import AirframeCore
import AirframeCurl
import AirframeMock
import AirframeSerialization
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Changes of priority in flight (RFC 9218 §7)", .timeLimit(.minutes(1)))
struct Priorities {
    /// A server that answers with the first PRIORITY_UPDATE that names the request's stream.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.beginHTTP2([(9, 1)])
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream)])
            let update = try connection.readFrame(0x10)
            guard update.number == stream else { throw PeerFault(description: "update of stream \(update.number)") }
            try connection.send([.data(Array(update.payload.dropFirst(4)), end: true, stream: stream)])
            _ = try? connection.readFrame()
        }
    }

    @Test("an update sends a PRIORITY_UPDATE frame that names the stream")
    func update() async throws {
        let server = try server()
        let updates = PriorityUpdates()
        let request = TransportRequest.http2(server).with {
            $0.options.priority = RequestPriority(urgency: 5)
            $0.priorityUpdates = updates
        }
        let transport = SocketTransport()
        let response = try await transport.send(request)
        updates.update(RequestPriority(urgency: 1, isIncremental: true))
        #expect(try await response.body.collect(upTo: 100) == Data("u=1, i".utf8))
        // After the end there is no stream to update.
        updates.update(RequestPriority(urgency: 7))
    }

    @Test("an update before the request is sent changes its head, the only means of HTTP/1.1")
    func head() async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            let value = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("priority:") } ?? "none"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(value.utf8.count)\r\n\r\n\(value)")
            try connection.readHead()
        }
        let updates = PriorityUpdates()
        updates.update(RequestPriority(urgency: 0))
        let request = TransportRequest(.get, server.origin).with {
            $0.options.priority = RequestPriority(urgency: 5)
            $0.priorityUpdates = updates
        }
        #expect(try await SocketTransport().text(request).lowercased() == "priority: u=0")
    }

    @Test("the priority of a session's request changes while it is in flight")
    func session() async throws {
        let server = try server()
        let session = Session(composed: SocketTransport())
        var urlRequest = try URLRequest(url: server.origin, method: .get)
        urlRequest.transportOptions.httpVersion = .http2PriorKnowledge
        urlRequest.transportOptions.proxy = ProxyPolicy.none
        urlRequest.transportOptions.priority = RequestPriority(urgency: 6)
        let request = session.request(urlRequest)
        let response = request.onHTTPResponse { [weak request] _ in
            // If the update is not passed through, the response never ends.
            _ = try? request?.updatePriority(RequestPriority(urgency: 2))
        }.serializingString()
        #expect(try await response.value == "u=2")
    }

    @Test("updating a request that was sent without a priority throws an error that says so")
    func withoutPriority() async throws {
        let session = Session(composed: MockTransport { Route(.get, "/").reply(.text("ok")) })
        let request = session.request("http://api.test/")
        _ = try await request.serializingString().value
        let error = #expect(throws: AFError.self) { try request.updatePriority(RequestPriority()) }
        #expect(error?.transportError?.message.contains("transportOptions.priority") == true)
    }

    @Test("an update before the first attempt is enough")
    func early() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.text("ok")) }
        let session = Session(composed: mock)
        let request = try session.request("http://api.test/").updatePriority(RequestPriority(urgency: 1))
        _ = try await request.serializingString().value
        #expect(mock.lastRequest?.priorityUpdates?.latest == RequestPriority(urgency: 1))
    }

    @Test("over libcurl, changing a priority throws an error that names the engine")
    func libcurl() async throws {
        let session = Session(composed: CurlTransport())
        let request = session.request("http://127.0.0.1:1/")
        let error = #expect(throws: AFError.self) { try request.updatePriority(RequestPriority()) }
        #expect(error?.transportError?.code == .unsupportedOption)
        #expect(error?.transportError?.message.contains("curl") == true)
        let refused = TransportRequest(.get, "http://127.0.0.1:1/").with { $0.priorityUpdates = PriorityUpdates() }
        #expect(await CurlTransport().failure(of: refused)?.code == .unsupportedOption)
    }
}
