import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The slot of a task that waits for a descriptor", .timeLimit(.minutes(1)))
struct ReadySlotTests {
    private final class Holder: Sendable {
        let slot = ReadySlot()
        let parked = Mutex<[Bool]>([])
    }

    /// Waits in the slot, or goes on if that is impossible.
    private func wait(_ holder: Holder) async {
        await withUnsafeContinuation { continuation in
            let isParked = holder.slot.tryPark(continuation)
            holder.parked.withLock { $0.append(isParked) }
            if !isParked { continuation.resume() }
        }
    }

    @Test("a second task does not take the place of the first, which is still resumed")
    func occupied() async {
        let holder = Holder()
        let first = Task { await wait(holder) }
        while holder.parked.withLock({ $0.isEmpty }) { await Task.yield() }
        await wait(holder)
        let hasWaited = holder.slot.signal()
        #expect(hasWaited)
        await first.value
        #expect(holder.parked.withLock { $0 } == [true, false])
    }

    @Test("readiness is taken by the task that would have waited")
    func ready() async {
        let holder = Holder()
        let hasWaited = holder.slot.signal()
        #expect(!hasWaited)
        await wait(holder)
        let isReady = holder.slot.isReady
        #expect(!isReady)
        #expect(holder.parked.withLock { $0 } == [false])
    }
}
