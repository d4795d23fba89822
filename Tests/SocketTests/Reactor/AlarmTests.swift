import AirframeWire
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("Alarms that change while they fire", .timeLimit(.minutes(1)))
struct AlarmTests {
    private let heap = AlarmHeap {}

    @Test("an alarm that its own action sets to the past fires once in each turn")
    func overdue() {
        let own = Mutex<Alarm?>(nil)
        let count = Atomic(0)
        // The action ends the chain itself, so that a turn that never returned would fail the test and not block it.
        let alarm = Alarm(heap) {
            if count.add(1, ordering: .relaxed).newValue < 10 { own.withLock { $0 }?.set(0) }
        }
        own.withLock { $0 = alarm }
        alarm.set(5)
        for turn in 1...3 {
            heap.ring(at: 10)
            let rung = count.load(ordering: .relaxed)
            #expect(rung == turn)
        }
        own.withLock { $0 = nil }
        alarm.cancel()
    }

    @Test("an alarm that is cancelled by the action of another due alarm does not fire")
    func cancelled() {
        let count = Atomic(0)
        let second = Alarm(heap) { count.add(1, ordering: .relaxed) }
        let first = Alarm(heap) { second.cancel() }
        first.set(1)
        second.set(2)
        heap.ring(at: 10)
        heap.ring(at: 20)
        let rung = count.load(ordering: .relaxed)
        #expect(rung == 0)
    }

    @Test("an alarm that is postponed by the action of another due alarm fires once, later")
    func postponed() {
        let count = Atomic(0)
        let second = Alarm(heap) { count.add(1, ordering: .relaxed) }
        let first = Alarm(heap) { second.set(15) }
        first.set(1)
        second.set(2)
        heap.ring(at: 10)
        let early = count.load(ordering: .relaxed)
        #expect(early == 0)
        heap.ring(at: 20)
        heap.ring(at: 30)
        let late = count.load(ordering: .relaxed)
        #expect(late == 1)
    }

    @Test("an alarm that is brought forward keeps its earlier time, and fires again at a later one once that is over")
    func broughtForward() {
        let count = Atomic(0)
        let alarm = Alarm(heap) { count.add(1, ordering: .relaxed) }
        func rung(at time: Int64) -> Int {
            heap.ring(at: time)
            return count.load(ordering: .relaxed)
        }
        alarm.set(10)
        alarm.bringForward(to: 20)
        #expect(rung(at: 10) == 1)
        alarm.bringForward(to: 30)
        #expect(rung(at: 29) == 1)
        #expect(rung(at: 30) == 2)
        alarm.set(50)
        alarm.bringForward(to: 40)
        #expect(rung(at: 40) == 3)
        alarm.cancel()
    }

    @Test("an alarm that is always overdue does not keep the reactor's thread from its tasks")
    func reactor() async throws {
        let reactor = try Reactor()
        let own = Mutex<Alarm?>(nil)
        let isOver = Atomic(false)
        let end = Monotonic.now + 20_000_000_000
        let alarm = reactor.makeAlarm {
            guard !isOver.load(ordering: .relaxed), Monotonic.now < end else { return }
            own.withLock { $0 }?.set(0)
        }
        own.withLock { $0 = alarm }
        alarm.set(0)
        let instant = await Task(executorPreference: reactor.executor) { Monotonic.now }.value
        isOver.store(true, ordering: .relaxed)
        own.withLock { $0 = nil }
        alarm.cancel()
        #expect(instant < end)
    }
}
