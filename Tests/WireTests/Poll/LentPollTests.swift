import AirframeTestSupport
import AirframeWire
import Synchronization
import Testing

@Suite("The task that polls", .timeLimit(.minutes(1)))
struct LentPollTests {
    /// A poller whose polls have the given results, and find nothing afterwards.
    private final class Script: LendingPoller {
        private struct State {
            var results: [TaskPriority?]
            var waits: [Int] = []
            var returnCount = 0
        }

        private let state: Mutex<State>

        init(_ results: [TaskPriority?] = []) { state = Mutex(State(results: results)) }

        /// The number of times that the thread got the turn back.
        var returnCount: Int { state.withLock { $0.returnCount } }

        /// Returns the waits of the polls since the last call.
        func takeWaits() -> [Int] {
            state.withLock { state in
                defer { state.waits = [] }
                return state.waits
            }
        }

        func pollOnce(waiting nanoseconds: Int) -> TaskPriority? {
            state.withLock { state in
                state.waits.append(nanoseconds)
                return state.results.isEmpty ? nil : state.results.removeFirst()
            }
        }

        func wakeThreadWhenReady() { state.withLock { $0.returnCount += 1 } }
    }

    /// Lends the poll, and returns the waits of its polls once the thread has it back.
    private static func waits(_ poll: LentPoll, _ poller: Script) async throws -> [Int] {
        let count = poller.returnCount
        poll.lend(at: .medium, poller)
        try await eventually("the return of the poll") { poller.returnCount > count }
        #expect(poll.isThreads)
        return poller.takeWaits()
    }

    @Test("waits once before it returns the turn, and not again after each wait that found nothing")
    func waiting() async throws {
        let (poll, poller) = (LentPoll(emptyYield: .max), Script())
        let full = [0, LentPoll.patience]
        var seen: [[Int]] = []
        for _ in 0..<7 { seen.append(try await Self.waits(poll, poller)) }
        #expect(seen == [full, [0], full, [0], [0], full, [0]])
    }

    @Test("keeps the turn after a wait that found a descriptor")
    func success() async throws {
        let poller = Script([nil, .medium, .medium, nil, .medium])
        let waits = try await Self.waits(LentPoll(emptyYield: .max), poller)
        #expect(waits == [0, LentPoll.patience, 0, 0, LentPoll.patience, 0, LentPoll.patience])
    }

    @Test("does not wait while other tasks are in the queue")
    func busyQueue() async throws {
        let (poll, poller) = (LentPoll(emptyYield: 0), Script())
        var seen: [[Int]] = []
        for _ in 0..<6 { seen.append(try await Self.waits(poll, poller)) }
        let threeYields = [0, 0, 0, 0]
        #expect(seen == [threeYields, [0], threeYields, [0], [0], threeYields])
    }
}
