import Testing

@testable import AirframeSocket

@Suite("Requests that may use the connection of another origin", .timeLimit(.minutes(1)))
struct SharingTests {
    @Test("need one if the limits allow no further connection, even if an idle one could be closed")
    func total() throws {
        let bench = try PoolBench { $0.total = 1 }
        #expect(!bench.lacksRoom())
        let connection = bench.add(to: try #require(bench.askForPermit("http://other.test")), capacity: 10)
        #expect(bench.lacksRoom())
        #expect(!bench.lacksRoom("http://other.test"))
        bench.pool.giveBack(connection)
        #expect(bench.lacksRoom())
        #expect(bench.pool.statistics.idleConnectionCount == 1)
    }

    @Test("need one if their own connections are full, and none while one is being opened")
    func perOrigin() throws {
        let bench = try PoolBench { $0.perOrigin = 1 }
        let entry = try #require(bench.askForPermit())
        #expect(!bench.lacksRoom())
        let connection = bench.add(to: entry, capacity: 2)
        #expect(!bench.lacksRoom())
        #expect(bench.askForStream() === connection)
        #expect(bench.lacksRoom())
        #expect(!bench.lacksRoom("http://other.test"))
    }
}
