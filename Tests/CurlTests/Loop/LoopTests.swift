import AirframeTestSupport
import Testing

@testable import AirframeCurl

@Suite("The timer queue")
struct TimerQueueTests {
    @Test("entries are taken in the order of their instants, and not earlier")
    func order() {
        var queue = TimerQueue()
        let times: [Int64] = [50, 10, 40, 10, 30, 20, 60, 5]
        for (index, due) in times.enumerated() { queue.insert(TimerQueue.Entry(due: due, exchange: UInt64(index))) }
        #expect(queue.earliest == 5)
        #expect(queue.popDue(at: 4) == nil)
        var order: [Int64] = []
        while let exchange = queue.popDue(at: 50) { order.append(times[Int(exchange)]) }
        #expect(order == [5, 10, 10, 20, 30, 40, 50])
        #expect(queue.earliest == 60)
        queue.removeAll()
        #expect(queue.earliest == nil)
    }
}

@Suite("Lookups of one name")
struct NameTableTests {
    @Test("the first transfer starts a lookup, and all of them get its answer")
    func success() throws {
        var names = NameTable()
        let askedLookup = names.wait(for: "a.test", 1)
        let lookup = try #require(askedLookup)
        let others = [names.wait(for: "a.test", 2), names.wait(for: "a.test", 1), names.wait(for: "b.test", 3)]
        #expect(others.map { $0?.host } == [nil, nil, "b.test"])
        let answered = [names.finish(lookup), names.finish(lookup)]
        #expect(answered == [[1, 2], []])
        let again = names.wait(for: "a.test", 4)
        #expect(again != nil)
    }

    @Test("after the last waiter has left, the next transfer starts another lookup")
    func leaving() throws {
        var names = NameTable()
        let askedFirst = names.wait(for: "a.test", 1)
        let first = try #require(askedFirst)
        _ = names.wait(for: "a.test", 2)
        names.leave("a.test", 1)
        let isShared = names.wait(for: "a.test", 3) == nil
        #expect(isShared)
        names.leave("a.test", 2)
        names.leave("a.test", 3)
        let askedSecond = names.wait(for: "a.test", 4)
        let second = try #require(askedSecond)
        // The answer to a cancelled request is dropped.
        let answered = [names.finish(first), names.finish(second)]
        #expect(answered == [[], [4]])
    }
}

@Suite("Addresses in libcurl's two lanes")
struct AddressLanesTests {
    @Test("all but the first of several IPv4 addresses are mapped")
    func split() {
        #expect(AddressLanes.split(["1.1.1.1"]) == ["1.1.1.1"])
        #expect(AddressLanes.split(["1.1.1.1", "2.2.2.2"]) == ["1.1.1.1", "::ffff:2.2.2.2"])
        #expect(AddressLanes.split(["1.1.1.1", "::1", "2.2.2.2"]) == ["1.1.1.1", "::1", "2.2.2.2"])
        #expect(AddressLanes.list(["fe80::1%2", "::1"]) == "fe80::1,::1")
    }

    @Test("the next address of a lane is found, if there is one")
    func next() {
        let four = ["1.1.1.1", "2.2.2.2", "3.3.3.3"]
        #expect(four.map { AddressLanes.hasNext(after: $0, in: four) } == [false, true, false])
        let both = ["fe80::1%2", "1.1.1.1", "::2", "2.2.2.2"]
        let bare = ["fe80::1", "1.1.1.1", "::2", "2.2.2.2"]
        #expect(bare.map { AddressLanes.hasNext(after: $0, in: both) } == [true, true, false, false])
        #expect(!AddressLanes.hasNext(after: "9.9.9.9", in: both))
    }
}
