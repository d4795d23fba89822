import Synchronization

/// Numbers that go up, by key.
final class Counters: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// Counts one more and returns how many that makes.
    func increment(_ key: String) -> Int {
        counts.withLock { counts in
            counts[key, default: 0] += 1
            return counts[key, default: 0]
        }
    }
}
