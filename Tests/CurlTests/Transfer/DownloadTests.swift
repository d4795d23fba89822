import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Response bodies", .timeLimit(.minutes(1)))
struct DownloadTests {
    let transport = CurlTransport()

    @Test("an unread body stays on the connection")
    func backpressure() async throws {
        let total = 64 << 20
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
            let block = [UInt8](repeating: 1, count: 64 << 10)
            for _ in 0..<(total / block.count) { try connection.send(block) }
        }
        let response = try await transport.send(TransportRequest(.get, server.origin))
        try await Task.sleep(for: .milliseconds(500))
        #expect(server.connections[0].sentCount < 16 << 20)
        var count = 0
        while let chunk = try await response.body.next() { count += chunk.count }
        #expect(count == total)
    }

    @Test("bytes that arrive together are delivered together")
    func coalescing() async throws {
        let done = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
            for _ in 0..<100 { try connection.send([UInt8](repeating: 1, count: 1000)) }
            done.raise()
        }
        let response = try await transport.send(TransportRequest(.get, server.origin))
        while !done.isUp { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(try await response.body.next()?.count == 100_000)
        #expect(try await response.body.next() == nil)
    }

    @Test("a slow body is delivered as it arrives")
    func slow() async throws {
        let hasFirst = Signal()
        let hasSecond = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for (text, isRead) in [("one", hasFirst), ("two", hasSecond)] {
                try connection.send("3\r\n\(text)\r\n")
                isRead.wait()
            }
            try connection.send("0\r\nX-Sum: 42\r\nX-Empty:\r\n\r\n")
        }
        let response = try await transport.send(TransportRequest(.get, server.origin))
        #expect(response.body.expectedLength == nil)
        #expect(try await response.body.next() == Data("one".utf8))
        #expect(response.body.trailers == nil)
        hasFirst.raise()
        #expect(try await response.body.next() == Data("two".utf8))
        hasSecond.raise()
        #expect(try await response.body.next() == nil)
        let trailers = try #require(response.body.trailers)
        #expect(trailers[try #require(HTTPField.Name("X-Sum"))] == "42")
        #expect(trailers[try #require(HTTPField.Name("X-Empty"))] == "")
    }

    @Test("bytes before a failure are delivered before it")
    func partial() async throws {
        let server = try ScriptedServer.saying("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        let response = try await transport.send(TransportRequest(.get, server.origin))
        #expect(response.body.expectedLength == 10)
        #expect(try await response.body.next() == Data("half".utf8))
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.code == .bodyTruncated)
        #expect(error?.message.contains("4 of 10") == true, "\(String(describing: error))")
    }

    @Test("releasing a body ends the exchange and closes the connection")
    func dropped() async throws {
        let closed = Signal()
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nstart")
            if connection.peerCloses(within: .seconds(20)) { closed.raise() }
        }
        do {
            let response = try await transport.send(TransportRequest(.get, server.origin))
            #expect(response.head.status == 200)
        }
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end, !closed.isUp { try await Task.sleep(for: .milliseconds(5)) }
        #expect(closed.isUp)
    }

    @Test("cancelling a body wakes its reader")
    func cancelledReader() async throws {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            _ = connection.peerCloses(within: .seconds(50))
        }
        let response = try await transport.send(TransportRequest(.get, server.origin))
        let reader = Task { () -> TransportError? in
            do throws(TransportError) {
                _ = try await response.body.next()
                return nil
            } catch {
                return error
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        response.body.cancel()
        #expect(try await within(.seconds(40)) { await reader.value }?.code == .cancelled)
    }

    @Test("large bodies arrive whole", .needsPeers)
    func large() async throws {
        let (_, body) = try await transport.fetch(TransportRequest(.get, try Peers.url(.http, "/static/1m.bin")))
        #expect(body.count == 1 << 20)
        #expect(body == FileManager.default.contents(atPath: "\(try Peers.path(.static))/1m.bin"))
    }
}
