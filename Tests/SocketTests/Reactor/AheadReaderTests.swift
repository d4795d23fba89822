import AirframeConformance
import AirframeTransport
import FoundationEssentials
import Glibc
import HTTPTypes
import Testing

@testable import AirframeSocket

@Suite("Reading ahead", .timeLimit(.minutes(1)))
struct AheadReaderTests {
    @Test(
        "a poll that finds many connections reads from them before it resumes their tasks",
        arguments: [4, 5, 16, 40]
    )
    func crowd(count: Int) async throws {
        let readings = try await Self.poll(count: count)
        #expect(readings.map(\.wasAhead) == Array(repeating: true, count: count))
        #expect(readings.map(\.text) == (0..<count).map { "bytes \($0)" })
    }

    @Test("tasks of few connections read by themselves")
    func few() async throws {
        let readings = try await Self.poll(count: 3)
        #expect(readings.map(\.wasAhead) == [false, false, false])
        #expect(readings.map(\.text) == ["bytes 0", "bytes 1", "bytes 2"])
    }

    @Test("the end of a connection that was read ahead is not lost")
    func end() async throws {
        let readings = try await Self.poll(count: 6) { index, peer in
            if index == 2 { shutdown(peer, Int32(SHUT_WR)) } else { send(index, to: peer) }
        }
        #expect(readings[2].wasAhead)
        #expect(readings[2].result == .ended)
        #expect(readings[3].text == "bytes 3")
    }

    @Test("nothing is read for a task that something else has resumed")
    func resumed() async throws {
        let line = try Line()
        let task = line.start()
        line.readiness.rouse()
        _ = await task.value
        send(7, to: line.peer)
        let others = try (0..<5).map { _ in try Line() }
        let tasks = others.map { $0.start() }
        for (index, line) in others.enumerated() { send(index, to: line.peer) }
        try Self.poll([line] + others)
        let isReady = line.readiness.reading.isReady
        #expect(isReady)
        #expect(!line.reader.hasOutcome)
        for task in tasks { #expect(await task.value.wasAhead) }
    }

    @Test("dropped input is not returned by the next read")
    func drop() async throws {
        let line = try Line()
        send(1, to: line.peer)
        line.reader.readAhead()
        line.reader.drop()
        #expect(!line.reader.hasOutcome)
        #expect(line.reader.read().result == .blocked)
    }

    @Test("bytes behind a full buffer are read without another wait", arguments: [4096, 5000])
    func full(count: Int) async throws {
        let text = String(repeating: "x", count: count)
        let readings = try await Self.poll(count: 4) { send(text, to: $1) }
        for reading in readings {
            #expect(reading.wasAhead)
            #expect(reading.result == .bytes(BufferPool.smallSize))
            #expect(reading.mayHaveMore)
            #expect(reading.text == text)
        }
    }

    @Test("a response that continues behind a full buffer is read without another wait")
    func response() throws {
        let line = try Line()
        let stream = HTTP1Stream(
            line.bytes, origin: Origin(scheme: "http", host: "api.test"), limits: HTTP1Limits(), heads: KnownHeads(),
            buffers: BufferPool())
        let request = HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/")
        _ = try stream.begin(RequestHead(request), checked: nil, content: nil)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n"
        send(head + String(repeating: "x", count: 5000), to: line.peer)
        stream.reader.readAhead()
        guard case .head = try stream.next(.more), case .content(let first) = try stream.next(.arrived) else {
            Issue.record("the head and the beginning of the content were not read ahead")
            return
        }
        #expect(first.count == BufferPool.smallSize - head.utf8.count)
        let hasInput = stream.hasInput
        #expect(hasInput)
        guard case .content(let rest) = try stream.next(.more) else {
            Issue.record("the rest was not read")
            return
        }
        #expect(first.count + rest.count == 5000)
    }

    @Test(
        "input over TLS is read ahead, and what OpenSSL holds behind a full buffer is read without another wait",
        arguments: [100, 5000]
    )
    func secure(count: Int) async throws {
        let text = String(repeating: "x", count: count)
        let peer = try RawPeer(PeerScenario(tls: PeerTLS(), .await("go"), .send(text), .awaitClose))
        defer { peer.stop() }
        let relays = try (0..<4).map { _ in try RelayedLine(to: peer) }
        let lines = try relays.map { relay in try Line(relay.secure()) }
        let tasks = lines.map { $0.start() }
        peer.signals.open("go")
        for relay in relays { try #require(relay.forward(count)) }
        try Self.poll(lines)
        for task in tasks {
            let reading = await task.value
            #expect(reading.wasAhead)
            #expect(reading.mayHaveMore == (count > BufferPool.smallSize))
            #expect(reading.text == text)
        }
    }

    /// What a task read after it was resumed.
    private struct Reading {
        let wasAhead: Bool
        /// The result of the first read.
        let result: IOResult
        /// Whether another read could return bytes without a wait.
        var mayHaveMore = false
        /// The bytes of all reads without a wait.
        var text = ""
    }

    /// A connection whose reader waits in `readiness`.
    private final class Line: Sendable {
        let readiness = Readiness()
        let reader: AheadReader
        let bytes: ByteStream
        let peer: Int32
        let watched: Descriptor

        /// Creates a connection in the clear.
        convenience init() throws {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            let socket = Socket(Descriptor(ends[0]), try Reactor())
            self.init(ByteStream(socket: socket, tls: nil), peer: ends[1])
        }

        /// - Parameter peer: The other end of the connection, which is closed with this one; -1 if it has an owner.
        init(_ bytes: ByteStream, peer: Int32 = -1) {
            self.bytes = bytes
            self.peer = peer
            watched = Descriptor(dup(bytes.socket.number))
            reader = AheadReader(bytes, BufferPool())
        }

        deinit {
            if peer >= 0 { close(peer) }
        }

        /// Starts a task that waits, and then reads. It waits when this returns.
        func start() -> Task<Reading, Never> {
            readiness.setAheadReader(reader)
            return Task.immediate { [self] in
                await withUnsafeContinuation { readiness.reading.park($0) }
                readiness.setAheadReader(nil)
                let wasAhead = reader.hasOutcome
                let (buffer, result) = reader.read()
                var reading = Reading(wasAhead: wasAhead, result: result)
                guard case .bytes(let count) = result else { return reading }
                reading.text = String(decoding: buffer.bytes[..<count], as: UTF8.self)
                reading.mayHaveMore = bytes.mayHaveMore(after: count, of: buffer.bytes.count)
                if reading.mayHaveMore, case (let rest, .bytes(let count)) = reader.read() {
                    reading.text += String(decoding: rest.bytes[..<count], as: UTF8.self)
                }
                return reading
            }
        }
    }

    /// Polls once for `count` connections that have all become readable, and returns what their tasks read.
    private static func poll(
        count: Int,
        _ act: (Int, Int32) -> Void = { send($0, to: $1) }
    ) async throws -> [Reading] {
        let lines = try (0..<count).map { _ in try Line() }
        let tasks = lines.map { $0.start() }
        for (index, line) in lines.enumerated() { act(index, line.peer) }
        try poll(lines)
        var readings: [Reading] = []
        for task in tasks { readings.append(await task.value) }
        return readings
    }

    private static func poll(_ lines: [Line]) throws {
        let poller = try Poller()
        for line in lines {
            try #require(poller.add(line.watched, Unmanaged.passUnretained(line.readiness)) == 0)
        }
        #expect(poller.poll(Poller.Events(), waiting: 0) != nil)
    }
}

private func send(_ index: Int, to peer: Int32) { send("bytes \(index)", to: peer) }

private func send(_ text: String, to peer: Int32) {
    #expect(write(peer, text, text.utf8.count) == text.utf8.count)
}
