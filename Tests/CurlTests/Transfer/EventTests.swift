import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Events", .timeLimit(.minutes(1)))
struct EventTests {
    let transport = CurlTransport()

    @Test("a new connection in the clear")
    func plain() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        let log = EventLog()
        _ = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(
            log.names == [
                "started", "connectStarted", "connectFinished", "connectionAcquired", "requestHeadSent",
                "requestFinished",
                "responseHead", "responseBodyReceived", "released",
            ]
        )
        let instants = log.events.map(\.instant)
        #expect(instants == instants.sorted())
    }

    @Test("a kept connection")
    func reused() async throws {
        let server = try ScriptedServer.answering(body: "ok")
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        let log = EventLog()
        let (response, _) = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(response.connection?.isReused == true)
        #expect(
            log.names == [
                "started", "decided", "connectionAcquired", "requestHeadSent", "requestFinished", "responseHead",
                "responseBodyReceived", "released",
            ]
        )
        guard case .released(.kept) = log.events.last?.kind else {
            Issue.record("the connection was not kept: \(String(describing: log.events.last))")
            return
        }
    }

    @Test("a body, its progress and informational responses")
    func body() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.read(200_000)
            try connection.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            try connection.respond(fields: ["Connection: close"])
        }
        let log = EventLog()
        let body = RequestBody.bytes(Data(repeating: 1, count: 200_000))
        _ = try await transport.fetch(TransportRequest(.post, server.origin, body: body).with { $0.events = log })
        let sent = log.events.compactMap { event -> (Int64, Int64)? in
            if case .requestBodySent(let count, let total) = event.kind { (count, total) } else { nil }
        }
        #expect(sent.last?.1 == 200_000)
        #expect(sent.map(\.0).reduce(0, +) == 200_000)
        #expect(log.names.suffix(4) == ["requestFinished", "informationalResponse", "responseHead", "released"])
        guard case .released(.closed) = log.events.last?.kind else {
            Issue.record("the connection was kept: \(String(describing: log.events.last))")
            return
        }
    }

    @Test("a refused connection reports each attempt and one failure")
    func refused() async throws {
        let log = EventLog()
        let error = await transport.failure(of: TransportRequest(.get, "http://127.0.0.1:1/").with { $0.events = log })
        #expect(error?.code == .connectFailed)
        #expect(error?.message.contains("refused") == true, "\(String(describing: error))")
        #expect(log.names == ["started", "connectStarted", "connectFailed", "failed"])
        guard case .connectFailed(_, let failure) = log.events[2].kind else { return }
        #expect(failure.message.contains("refused"), "\(failure)")
    }

    @Test("a lookup is reported, also that of a name without an address")
    func resolution() async throws {
        let server = try ScriptedServer.answering()
        let log = EventLog()
        let name = ProcessInfo.processInfo.hostName
        _ = await transport.failure(
            of: TransportRequest(.get, "http://\(name):\(server.port)/").with { $0.events = log })
        #expect(log.names.prefix(3) == ["started", "resolveStarted", "resolveFinished"])
        let failing = EventLog()
        let request = TransportRequest(.get, "http://nowhere.invalid/").with { $0.events = failing }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .nameResolutionFailed, "\(error)")
        #expect(error.phase == .resolve)
        #expect(error.message.contains("nowhere.invalid"))
        #expect(failing.names == ["started", "resolveStarted", "failed"])
    }

    @Test("over TLS", .needsPeers)
    func tls() async throws {
        let log = EventLog()
        let roots = try Peers.roots
        let request = TransportRequest(.get, try Peers.url(.https, "/static/64.bin", host: "127.0.0.1")).with {
            $0.options.tls.roots = roots
            $0.events = log
        }
        _ = try await transport.fetch(request)
        #expect(
            log.names == [
                "started", "connectStarted", "connectFinished", "tlsStarted", "tlsFinished", "connectionAcquired",
                "requestHeadSent", "requestFinished", "responseHead", "responseBodyReceived", "released",
            ]
        )
    }

    @Test("every exchange has one terminal event, even if it is cancelled")
    func terminal() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.readToEnd()
        }
        let log = EventLog()
        let task = Task { await transport.failure(of: TransportRequest(.get, server.origin).with { $0.events = log }) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(await task.value?.isCancellation == true)
        #expect(log.names.last == "failed")
        #expect(log.names.count { $0 == "failed" || $0 == "released" } == 1)
    }

    @Test("trailers are reported before the end")
    func trailers() async throws {
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n"
        let server = try ScriptedServer.saying(text)
        let log = EventLog()
        _ = try await transport.fetch(TransportRequest(.get, server.origin).with { $0.events = log })
        #expect(log.names.suffix(2) == ["trailers", "released"])
    }
}

@Suite("The size of a request's head", .timeLimit(.minutes(1)))
struct HeadSizeTests {
    @Test(
        "the reported size equals the server's count",
        arguments: [
            (HTTPRequest.Method.get, nil, [:]), (.post, "body", [:]), (.put, "", [.accept: "*/*", .userAgent: ""]),
            (.delete, nil, [.contentType: "text/plain", .cookie: "a=b"]), (.post, nil, [.accept: "text/html"]),
        ] as [(HTTPRequest.Method, String?, HTTPFields)])
    func size(method: HTTPRequest.Method, body: String?, fields: HTTPFields) async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            try connection.read(body?.utf8.count ?? 0)
            let count = "\(head.utf8.count)"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count.utf8.count)\r\n\r\n\(count)")
        }
        let counted = Mutex<Int?>(nil)
        let sink = ClosureEventSink { event in
            if case .requestHeadSent(let count) = event.kind { counted.withLock { $0 = count } }
        }
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:\(server.port)",
            path: "/a/path?with=query",
            headerFields: fields
        )
        let transport = CurlTransport()
        let content = body.map { RequestBody.bytes(.init($0.utf8)) } ?? .none
        let response = try await transport.send(TransportRequest(head, body: content, events: sink))
        let text = String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
        #expect(text == counted.withLock { $0 }.map(String.init))
    }
}
