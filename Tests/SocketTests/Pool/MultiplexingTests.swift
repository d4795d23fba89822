import AirframeTestSupport
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The pool grants streams of connections that carry several", .timeLimit(.minutes(1)))
struct MultiplexingTests {
    private let bench: PoolBench

    init() throws { bench = try PoolBench() }

    @Test("a burst on a cold origin opens one connection, which serves all waiters that it has room for")
    func burst() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (1..<64).compactMap { _ in bench.askForPlace() }
        #expect(waiters.count == 63)
        let connection = bench.add(to: entry, capacity: 100)
        #expect(waiters.allSatisfy { bench.isStream($0, of: connection) })
        #expect(bench.pool.statistics.connectionCount == 1)
        #expect(bench.pool.statistics.waitingRequestCount == 0)
        #expect(connection.streamCount == 64)
    }

    @Test("waiters beyond the capacity of a new connection open further ones, one at a time, in order")
    func overflow() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<5).compactMap { _ in bench.askForPlace() }
        let first = bench.add(to: entry, capacity: 3)
        #expect(waiters[0..<2].allSatisfy { bench.isStream($0, of: first) })
        #expect(bench.isPermit(waiters[2]))
        #expect(waiters[3...].allSatisfy { $0.takeGrant() == nil })
        let second = bench.add(to: entry, capacity: 3)
        #expect(waiters[3...].allSatisfy { bench.isStream($0, of: second) })
    }

    @Test("if the server chooses HTTP/1.1, the waiters open their own connections, and later requests do not wait")
    func single() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<3).compactMap { _ in bench.askForPlace() }
        bench.addSingle(to: entry)
        #expect(waiters.count == 3)
        #expect(waiters.allSatisfy { bench.isPermit($0) })
        #expect(bench.askForPermit() != nil)
    }

    @Test("if the connection cannot be opened, the waiters connect in parallel")
    func failure() throws {
        let entry = try #require(bench.askForPermit())
        let waiters = (0..<3).compactMap { _ in bench.askForPlace() }
        bench.pool.giveBackPermit(to: entry)
        #expect(waiters.count == 3)
        #expect(waiters.allSatisfy { bench.isPermit($0) })
    }

    @Test("requests that cannot share a connection do not wait for one that is being opened")
    func exclusive() throws {
        #expect(bench.askForPermit() != nil)
        #expect(bench.askForPermit(isMultiplexing: false) != nil)
    }

    @Test("a connection with room is used, a full one is not, and an ended stream makes room")
    func capacity() throws {
        let entry = try #require(bench.askForPermit())
        let connection = bench.add(to: entry, capacity: 2)
        #expect(bench.askForStream() === connection)
        #expect(bench.askForPermit() != nil)
        bench.pool.giveBack(connection)
        #expect(bench.askForStream() === connection)
    }

    @Test("the peer's limit may rise, which serves waiters, and fall, which ends no stream")
    func changingCapacity() throws {
        let bench = try PoolBench { $0.perOrigin = 1 }
        let entry = try #require(bench.askForPermit())
        let carrier = FakeCarrier(capacity: 1)
        let connection = bench.add(to: entry, carrier)
        let waiters = (0..<3).compactMap { _ in bench.askForPlace() }
        #expect(waiters.count == 3)
        carrier.report(.capacity(3))
        #expect(waiters[0..<2].allSatisfy { bench.isStream($0, of: connection) })
        carrier.report(.capacity(1))
        #expect(connection.streamCount == 3)
        bench.pool.giveBack(connection)
        bench.pool.giveBack(connection)
        #expect(waiters[2].takeGrant() == nil)
        bench.pool.giveBack(connection)
        #expect(bench.isStream(waiters[2], of: connection))
    }

    @Test("the peer's limit is that of its next connection, unless it is 0, which a peer may set for a while")
    func knownLimit() throws {
        let entry = try #require(bench.askForPermit())
        #expect(entry.streamLimit == 100)
        let carrier = FakeCarrier(capacity: 10)
        let connection = bench.add(to: entry, carrier)
        for (reported, known) in [(0, 100), (3, 3), (0, 3), (7, 7)] {
            carrier.report(.capacity(reported))
            #expect(connection.capacity == reported)
            #expect(entry.streamLimit == known)
        }
    }

    @Test("a retired connection accepts no new stream, counts until its last stream ends, and is then closed")
    func retirement() throws {
        let entry = try #require(bench.askForPermit())
        let carrier = FakeCarrier(capacity: 10)
        let connection = bench.add(to: entry, carrier)
        #expect(bench.askForStream() === connection)
        carrier.report(.retired)
        #expect(carrier.isRetired)
        #expect(bench.askForPermit() != nil)
        #expect(bench.pool.statistics.connectionCount == 2)
        #expect(!bench.pool.giveBack(connection))
        #expect(bench.pool.statistics.connectionCount == 2)
        bench.pool.cancel(connection)
        #expect(bench.pool.statistics.connectionCount == 1)
    }

    @Test("a connection without streams is idle, and leaves the pool when its carrier ends", arguments: [true, false])
    func end(isIdle: Bool) throws {
        let entry = try #require(bench.askForPermit())
        let carrier = FakeCarrier(capacity: 10)
        let connection = bench.add(to: entry, carrier)
        if isIdle {
            #expect(bench.pool.giveBack(connection))
            #expect(bench.pool.statistics.idleConnectionCount == 1)
        }
        carrier.report(.closed)
        carrier.report(.closed)
        if !isIdle { bench.pool.cancel(connection) }
        #expect(bench.pool.statistics.connectionCount == 0)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
    }

    @Test("an idle connection is closed to make room for another origin, and with the pool")
    func idle() throws {
        let bench = try PoolBench { $0.total = 1 }
        let carrier = FakeCarrier(capacity: 10)
        bench.pool.giveBack(bench.add(to: try #require(bench.askForPermit()), carrier))
        let other = try #require(bench.askForPermit("http://other.test"))
        #expect(carrier.isRetired)
        let second = FakeCarrier(capacity: 10)
        bench.pool.giveBack(bench.add(to: other, second))
        bench.pool.close()
        #expect(second.isRetired)
        #expect(bench.pool.statistics.connectionCount == 0)
    }

    @Test("a connection that has reached its age accepts no new stream, idle or not", arguments: [true, false])
    func age(isIdle: Bool) async throws {
        let bench = try PoolBench { $0.age = 1_000_000_000 }
        let entry = try #require(bench.askForPermit())
        let carrier = FakeCarrier(capacity: 10)
        let connection = bench.add(to: entry, carrier)
        if isIdle { bench.pool.giveBack(connection) }
        try await Task.sleep(for: .milliseconds(1_100))
        #expect(bench.pool.joinForExtendedConnect(entry.key) == nil)
        #expect(!bench.pool.join(connection))
        #expect(bench.askForPermit() === entry)
        #expect(carrier.isRetired)
        if !isIdle { bench.pool.cancel(connection) }
        #expect(bench.pool.statistics.connectionCount == 1)
        #expect(bench.pool.statistics.idleConnectionCount == 0)
    }

    @Test("a connection that has reached its age serves no waiter when its peer allows more streams")
    func agedCapacity() async throws {
        let bench = try PoolBench {
            $0.age = 300_000_000
            $0.perOrigin = 1
        }
        let carrier = FakeCarrier(capacity: 1)
        let connection = bench.add(to: try #require(bench.askForPermit()), carrier)
        let waiter = try #require(bench.askForPlace())
        try await Task.sleep(for: .milliseconds(400))
        carrier.report(.capacity(2))
        #expect(waiter.takeGrant() == nil)
        bench.pool.cancel(connection)
        #expect(bench.isPermit(waiter))
    }

    @Test("a waiter may open a connection once an idle one without room has expired")
    func expiry() async throws {
        let bench = try PoolBench {
            $0.perOrigin = 1
            $0.idleAge = 1_000_000_000
        }
        bench.setAlarm()
        defer { bench.pool.removeAlarm() }
        let carrier = FakeCarrier(capacity: 1)
        let connection = bench.add(to: try #require(bench.askForPermit()), carrier)
        #expect(bench.pool.giveBack(connection))
        carrier.report(.capacity(0))
        let waiter = try #require(bench.askForPlace())
        try await eventually { carrier.isRetired }
        #expect(bench.isPermit(waiter))
    }

    @Test("a cancelled waiter returns the stream that it was granted")
    func givingUp() throws {
        let entry = try #require(bench.askForPermit())
        let waiter = try #require(bench.askForPlace())
        let connection = bench.add(to: entry, capacity: 10)
        #expect(connection.streamCount == 2)
        bench.pool.giveUp(waiter, entry)
        #expect(connection.streamCount == 1)
    }

    @Test("a carrier that cannot open a stream at the moment is skipped")
    func unusable() throws {
        let entry = try #require(bench.askForPermit())
        let carrier = FakeCarrier(capacity: 10)
        bench.add(to: entry, carrier)
        carrier.usable.store(false, ordering: .relaxed)
        #expect(bench.askForPermit() != nil)
    }
}
