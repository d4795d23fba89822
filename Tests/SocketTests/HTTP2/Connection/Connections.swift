import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("HTTP/2 connections", .timeLimit(.minutes(1)))
struct Connections {
    let transport = SocketTransport()

    @Test("credit is returned to a caller that waits for more (RFC 9113 §5.2)")
    func credit() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            _ = try connection.readFrame(1)
            try connection.send([.ok()])
            // The granted window; a client may delay credit for less than half of it.
            var room = 65_536
            let piece = Array(repeating: UInt8(7), count: 16_384)
            for number in 1...64 {
                while room < piece.count {
                    let frame = try connection.readFrame(8)
                    if frame.stream == 1 { room += Int(frame.number) }
                }
                try connection.send([.data(piece, end: number == 64)])
                room -= piece.count
            }
            _ = try connection.readFrame()
        }
        #expect(try await transport.fetch(.http2(server)).body.count == 64 * 16_384)
    }

    @Test("a sleeping reader does not delay other streams of its connection")
    func sleeper() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            _ = try connection.readFrame(1)
            let piece = Array(repeating: UInt8(7), count: 16_384)
            try connection.send([.ok()] + (0..<4).map { _ in .data(piece) })
            try connection.answerAll()
        }
        let sleeper = try await transport.send(.http2(server))
        for _ in 0..<50 { #expect(try await transport.text(.http2(server)) == "ok") }
        #expect(server.connections.count == 1)
        sleeper.body.cancel()
    }

    @Test("responses arrive in any order, also while one stream's task reads for all")
    func order() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            while true {
                var streams: [UInt32] = []
                while streams.count < 16 { streams.append(try connection.readFrame(1).stream) }
                for stream in streams.reversed() {
                    try connection.send([.ok(stream: stream), .data("\(stream)", end: true, stream: stream)])
                }
            }
        }
        for _ in 0..<20 {
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 { group.addTask { try await transport.text(.http2(server)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(texts).count == 16)
        }
        #expect(server.connections.count == 1)
    }

    @Test("requests that follow responses received together leave in few writes")
    func joinedRequests() async throws {
        let (count, roundCount) = (32, 8)
        let segments = Counts()
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            for _ in 0..<roundCount {
                let streams = try (0..<count).map { _ in try connection.readFrame(1).stream }
                segments.append(connection.receivedSegmentCount)
                try connection.send(streams.flatMap { [.ok(stream: $0), .data("ok", end: true, stream: $0)] })
            }
            _ = try connection.readSome()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    for _ in 0..<roundCount {
                        let text = try await transport.text(.http2(server))
                        #expect(text == "ok")
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = segments.values
        let (first, last) = (try #require(all.first), try #require(all.last))
        // Written one by one, these would be 224. On a slow machine some tasks are too late to join the others.
        #expect(last - first < (roundCount - 1) * count * 3 / 4, "\(all)")
    }

    @Test("a request leaves immediately if the tasks of earlier responses send no more")
    func singleRequest() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            let streams = try (0..<16).map { _ in try connection.readFrame(1).stream }
            try connection.send(streams.flatMap { [.ok(stream: $0), .data("ok", end: true, stream: $0)] })
            try connection.answerAll()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let text = try await transport.text(.http2(server))
                    #expect(text == "ok")
                }
            }
            try await group.waitForAll()
        }
        for _ in 0..<20 { #expect(try await transport.text(.http2(server)) == "ok") }
    }

    @Test("if the server does not acknowledge a PING, its exchanges fail with an error that says so (RFC 9113 §6.7)")
    func keepAlive() async throws {
        var configuration = SocketTransport.Configuration()
        configuration.http2PingInterval = .milliseconds(20)
        configuration.http2PingTimeout = .milliseconds(20)
        let transport = SocketTransport(configuration: configuration)
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            while true { _ = try connection.readFrame() }
        }
        let error = try #require(await transport.failure(of: .http2(server)))
        #expect(error.message.contains("PING"))
        #expect(error.processing == .unknown)
    }

    @Test("a server that acknowledges PINGs may take its time")
    func answeredKeepAlive() async throws {
        var configuration = SocketTransport.Configuration()
        configuration.http2PingInterval = .milliseconds(10)
        configuration.http2PingTimeout = .seconds(20)
        let transport = SocketTransport(configuration: configuration)
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            _ = try connection.readFrame(1)
            for _ in 0..<3 {
                let ping = try connection.readFrame(6)
                try connection.send([HTTP2Frame(type: 6, flags: 1, payload: ping.payload)])
            }
            try connection.send([.ok(), .data("ok", end: true)])
            _ = try connection.readFrame(6)
        }
        #expect(try await transport.text(.http2(server)) == "ok")
    }

    @Test("after a GOAWAY between exchanges the next one uses another connection (RFC 9113 §6.8)")
    func goAway() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream), .goAway(last: stream)])
            _ = try? connection.readFrame(7)
        }
        for _ in 0..<5 { #expect(try await transport.text(.http2(server)) == "ok") }
        #expect(server.connections.count == 5)
    }

    @Test("no more streams than SETTINGS_MAX_CONCURRENT_STREAMS are open concurrently (RFC 9113 §5.1.2)")
    func concurrency() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(3, 2)])
            var open: [UInt32] = []
            while true {
                open.append(try connection.readFrame(1).stream)
                guard open.count == 2 else { continue }
                for stream in open {
                    try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream)])
                }
                open = []
            }
        }
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnectionsPerHost = 1
        let transport = SocketTransport(configuration: configuration)
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await transport.text(.http2(server)) } }
            for try await text in group { #expect(text == "ok") }
        }
        #expect(server.connections.count == 1)
    }

    @Test("a cancelled exchange resets its stream and keeps the connection (RFC 9113 §5.4.2)")
    func cancellation() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream), .data("part", stream: stream)])
            let reset = try connection.readFrame(3)
            guard reset.stream == stream, reset.number == 8 else { throw PeerFault(description: "reset was \(reset)") }
            try connection.answerAll()
        }
        let response = try await transport.send(.http2(server))
        #expect(try await response.body.next() == Data("part".utf8))
        response.body.cancel()
        #expect(try await transport.text(.http2(server)) == "ok")
        #expect(server.connections.count == 1)
    }

    @Test("an upload and its trailers arrive while the response is read (RFC 9113 §8.1)")
    func duplex() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream)])
            var count = 0
            while true {
                let frame = try connection.readFrame()
                guard frame.type <= 1 else { continue }
                if frame.type == 0 { count += frame.payload.count }
                if frame.type == 0, !frame.payload.isEmpty {
                    let increment = UInt32(frame.payload.count)
                    try connection.send([.windowUpdate(increment), .windowUpdate(increment, stream: stream)])
                }
                if frame.flags & HTTP2Frame.endStream != 0 { break }
            }
            try connection.send([.data("\(count)", end: true, stream: stream)])
            _ = try connection.readFrame()
        }
        let body = RequestBody.bytes(Data(repeating: 1, count: 500_000))
        #expect(try await transport.text(.http2(server, body: body)) == "500000")
    }

    @Test("an upload continues once a window opens, also if no stream waits for a response (RFC 9113 §5.2)")
    func smallWindows() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(4, 500)])
            let stream = try connection.readFrame(1).stream
            var count = 0
            while true {
                let frame = try connection.readFrame()
                guard frame.type == 0 else { continue }
                count += frame.payload.count
                if frame.flags & HTTP2Frame.endStream != 0 { break }
                let increment = UInt32(frame.payload.count)
                guard increment > 0 else { continue }
                try connection.send([.windowUpdate(increment), .windowUpdate(increment, stream: stream)])
            }
            try connection.send([.ok(stream: stream), .data("\(count)", end: true, stream: stream)])
            _ = try connection.readFrame()
        }
        // 200 windows: waiting for the keepalive's alarm would take half a second for each.
        let body = RequestBody.bytes(Data(repeating: 1, count: 100_000))
        #expect(try await transport.text(.http2(server, body: body)) == "100000")
    }

    @Test("extended CONNECT opens a two-way stream (RFC 8441)")
    func extendedConnect() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2([(8, 1)])
            let stream = try connection.readFrame(1).stream
            try connection.send([.ok(stream: stream)])
            while true {
                let frame = try connection.readFrame(0)
                try connection.send([.data(frame.payload, end: frame.flags & 1 != 0, stream: stream)])
            }
        }
        let request = TransportRequest.http2(server, "/chat").with { $0.upgrade = .webSocket }
        let stream = try #require(try await transport.send(request).stream)
        try await stream.write(Data("hello".utf8))
        #expect(try await stream.read() == Data("hello".utf8))
        try await stream.finishWriting()
        #expect(try await stream.read() == nil)
        stream.close()
    }

    @Test("without the server's support, extended CONNECT fails with an error that says so (RFC 8441 §3)")
    func noExtendedConnect() async throws {
        let server = try ScriptedServer { connection in
            try connection.beginHTTP2()
            _ = try connection.readFrame(1)
        }
        let request = TransportRequest.http2(server).with { $0.upgrade = .webSocket }
        let error = try #require(await transport.failure(of: request))
        #expect(error.message.contains("RFC 8441"))
        #expect(error.processing == .notSent)
    }
}

/// Numbers that a script records.
private final class Counts: Sendable {
    private let numbers = Mutex<[Int]>([])

    var values: [Int] { numbers.withLock { $0 } }

    func append(_ number: Int) { numbers.withLock { $0.append(number) } }
}
