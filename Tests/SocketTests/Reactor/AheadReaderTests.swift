import Glibc
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

    /// What a task read after it was resumed.
    private struct Reading {
        let wasAhead: Bool
        let result: IOResult
        let text: String
    }

    /// A connection whose reader waits in `readiness`.
    private final class Line: Sendable {
        let readiness = Readiness()
        let reader: AheadReader
        let peer: Int32
        let watched: Descriptor
        private let reactor: Reactor

        init() throws {
            var ends: [Int32] = [0, 0]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            peer = ends[1]
            watched = Descriptor(dup(ends[0]))
            reactor = try Reactor()
            let socket = Socket(Descriptor(ends[0]), reactor)
            reader = AheadReader(ByteStream(socket: socket, tls: nil), BufferPool())
        }

        deinit { close(peer) }

        /// Starts a task that waits, and then reads. It waits when this returns.
        func start() -> Task<Reading, Never> {
            readiness.setAheadReader(reader)
            return Task.immediate { [self] in
                await withUnsafeContinuation { readiness.reading.park($0) }
                readiness.setAheadReader(nil)
                let wasAhead = reader.hasOutcome
                let (buffer, result) = reader.read()
                guard case .bytes(let count) = result else {
                    return Reading(wasAhead: wasAhead, result: result, text: "")
                }
                let text = String(decoding: buffer.bytes[..<count], as: UTF8.self)
                return Reading(wasAhead: wasAhead, result: result, text: text)
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
        #expect(poller.poll(Poller.Events()) != nil)
    }
}

private func send(_ index: Int, to peer: Int32) {
    let text = "bytes \(index)"
    #expect(write(peer, text, text.utf8.count) == text.utf8.count)
}
