import Testing

@testable import AirframeCurl

@Suite("The timer queue")
struct TimerQueueTests {
    @Test("entries come out by their time, and not before it")
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
struct ResolveGateTests {
    private let name = ResolveGate.Name(context: 1, host: "a.test")

    @Test("one leads, the others wait until it has an address, which is known for a while")
    func success() {
        var gate = ResolveGate()
        let other = ResolveGate.Name(context: 2, host: "a.test")
        let entered = [gate.enter(name, 1, now: 0), gate.enter(name, 2, now: 0), gate.enter(name, 3, now: 0)]
        #expect(entered == [true, false, false])
        let released = [gate.enter(other, 4, now: 0) ? [4] : [], gate.resolved(name, by: 2, now: 1)]
        #expect(released == [[4], []])
        let waiting = gate.resolved(name, by: 1, now: 1)
        #expect(waiting == [2, 3])
        let later = [gate.enter(name, 5, now: 2), gate.enter(name, 6, now: 2)]
        #expect(later == [true, true])
        let muchLater = [gate.enter(name, 7, now: 60_000_000_000), gate.enter(name, 8, now: 60_000_000_000)]
        #expect(muchLater == [true, false])
    }

    @Test("when the leader leaves the next one leads")
    func succession() {
        var gate = ResolveGate()
        let entered = (1...4).map { gate.enter(name, $0, now: 0) }
        #expect(entered == [true, false, false, false])
        let leaders = [gate.leave(name, 3), gate.leave(name, 1), gate.leave(name, 2), gate.leave(name, 4)]
        #expect(leaders == [nil, 2, 4, nil])
        let isNew = gate.enter(name, 5, now: 0)
        #expect(isNew)
    }

    @Test("what the leader does not find the others need not look for")
    func failure() {
        var gate = ResolveGate()
        for exchange in 1...3 { _ = gate.enter(name, ExchangeID(exchange), now: 0) }
        let failed = gate.failed(name, by: 1)
        #expect(failed == [2, 3])
        let isNew = gate.enter(name, 4, now: 0)
        #expect(isNew)
    }
}
