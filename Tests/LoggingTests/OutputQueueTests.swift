import Synchronization
import Testing

@testable import AirframeLogging

@Suite("The queue of a sink", .timeLimit(.minutes(1)))
struct OutputQueueTests {
    @Test("flush returns after the caller's line was written, whichever thread starts the writing")
    func flush() async {
        let written = WrittenLines()
        let queue = OutputQueue<Int>(
            label: "test", capacity: 1_000, write: { written.insert($0) }, noteDropped: { _, _ in })
        let missingCount = await withTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var missingCount = 0
                    for number in 0..<10_000 {
                        let line = task * 10_000 + number
                        queue.add(line)
                        await queue.flush()
                        if !written.contains(line) { missingCount += 1 }
                    }
                    return missingCount
                }
            }
            return await group.reduce(0, +)
        }
        #expect(missingCount == 0)
    }
}

private final class WrittenLines: Sendable {
    // Guards the lines that the sink has received.
    private let lines = Mutex<Set<Int>>([])

    func insert(_ line: Int) { lines.withLock { _ = $0.insert(line) } }

    func contains(_ line: Int) -> Bool { lines.withLock { $0.contains(line) } }
}
