import Testing

@testable import AirframeSocket

@Suite("Idle connections make room for waiters", .timeLimit(.minutes(1)))
struct EvictionTests {
    private let bench: PoolBench
    /// The carriers of two idle connections to other origins, the oldest one first.
    private let idle: [FakeCarrier]

    /// Fills a pool of three connections with two idle ones and one that is being opened.
    init() throws {
        let bench = try PoolBench { $0.total = 3 }
        idle = try ["http://a.test", "http://b.test"].map { url in
            let carrier = FakeCarrier(capacity: 10)
            let entry = try #require(bench.askForPermit(url))
            bench.pool.giveBack(bench.add(to: entry, carrier))
            return carrier
        }
        self.bench = bench
        #expect(bench.pool.statistics.idleConnectionCount == 2)
    }

    @Test("if the server chooses HTTP/1.1, the waiters open connections in place of idle ones")
    func single() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<3).compactMap { _ in bench.askForPlace() }
        bench.addSingle(to: entry)
        #expect(waiters.map { bench.isPermit($0) } == [true, true, false])
        #expect(idle.allSatisfy { $0.isRetired })
        #expect(bench.pool.statistics.connectionCount == 3)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
    }

    @Test("if the new connection has room for one stream, the next waiter opens a connection in place of the oldest")
    func full() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<2).compactMap { _ in bench.askForPlace() }
        bench.add(to: entry, capacity: 1)
        #expect(waiters.map { bench.isPermit($0) } == [true, false])
        #expect(idle.map(\.isRetired) == [true, false])
        #expect(bench.pool.statistics.waitingRequestCount == 1)
        bench.add(to: entry, capacity: 10)
        #expect(bench.pool.statistics.waitingRequestCount == 0)
        #expect(bench.pool.statistics.connectionCount == 3)
    }

    @Test("if the connection cannot be opened, all waiters open connections in place of idle ones")
    func failure() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<3).compactMap { _ in bench.askForPlace() }
        bench.pool.giveBackPermit(to: entry)
        #expect(waiters.count == 3)
        #expect(waiters.allSatisfy { bench.isPermit($0) })
        #expect(idle.allSatisfy { $0.isRetired })
        #expect(bench.pool.statistics.connectionCount == 3)
    }

    @Test("a connection that becomes idle is closed once for a waiter of another origin")
    func lastStream() throws {
        let bench = try PoolBench { $0.total = 1 }
        let carrier = FakeCarrier(capacity: 10)
        let connection = bench.add(to: try #require(bench.askForPermit()), carrier)
        let waiter = try #require(bench.askForPlace("http://other.test"))
        #expect(!bench.pool.giveBack(connection))
        #expect(bench.isPermit(waiter))
        #expect(carrier.isRetired)
        #expect(bench.pool.statistics.connectionCount == 1)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
    }

    @Test("a waiter that cannot share a connection takes the place of a free one, although another is being opened")
    func exclusive() throws {
        let bench = try PoolBench { $0.total = 2 }
        let other = try #require(bench.askForPermit("http://other.test", isMultiplexing: false))
        let connection = bench.addSingle(to: other)
        #expect(bench.askForPermit(isMultiplexing: false) != nil)
        let waiter = try #require(bench.askForPlace(isMultiplexing: false))
        #expect(!bench.pool.giveBack(connection))
        #expect(bench.isPermit(waiter))
        #expect(bench.pool.statistics.connectionCount == 2)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
    }

    @Test("a connection that exceeds the limit on idle ones is closed, and not reported as kept")
    func noneIdle() throws {
        let bench = try PoolBench { $0.idle = 0 }
        let entry = try #require(bench.askForPermit())
        #expect(!bench.pool.giveBack(bench.addSingle(to: entry)))
        let carrier = FakeCarrier(capacity: 10)
        #expect(!bench.pool.giveBack(bench.add(to: try #require(bench.askForPermit()), carrier)))
        #expect(carrier.isRetired)
        #expect(bench.pool.statistics.connectionCount == 0)
    }

    @Test("closing idle connections serves the waiters of those without room")
    func closing() throws {
        let bench = try PoolBench { $0.perOrigin = 1 }
        let carrier = FakeCarrier(capacity: 1)
        bench.pool.giveBack(bench.add(to: try #require(bench.askForPermit()), carrier))
        carrier.report(.capacity(0))
        let waiter = try #require(bench.askForPlace())
        bench.pool.closeIdle()
        #expect(carrier.isRetired)
        #expect(bench.isPermit(waiter))
    }
}
