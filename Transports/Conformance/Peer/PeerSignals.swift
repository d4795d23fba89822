internal import Glibc

/// What a case and its peer tell each other: marks, which the peer sets, and gates, which the case opens.
///
/// `@unchecked Sendable`: the state is touched with the mutex held only.
public final class PeerSignals: @unchecked Sendable {
    private var marks: [String: Int] = [:]
    private var derived: [String: @Sendable () -> Int] = [:]
    private var gates: Set<String> = []
    private var isStopped = false
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    /// Nothing is marked, and all gates are closed.
    public init() {
        mutex = .allocate(capacity: 1)
        change = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(mutex)
        change.deallocate()
        mutex.deallocate()
    }

    // MARK: Marks

    /// Sets a mark, once more.
    public func mark(_ name: String) {
        locked { marks[name, default: 0] += 1 }
    }

    /// How often a mark was set.
    public func count(of mark: String) -> Int {
        let (count, derive) = locked { (marks[mark] ?? 0, derived[mark]) }
        return derive?() ?? count
    }

    /// Has a mark follow from something else: how often it was set is asked of `count`.
    public func derive(_ mark: String, from count: @escaping @Sendable () -> Int) {
        locked { derived[mark] = count }
    }

    /// Waits until a mark was set so often.
    ///
    /// - Returns: Whether it was, within `limit` and before the peer was stopped or the task cancelled.
    public func reach(_ mark: String, count: Int = 1, within limit: Duration = .seconds(20)) async -> Bool {
        await Waiting.until(within: limit) { self.count(of: mark) >= count }
    }

    // MARK: Gates

    /// Opens a gate for all who wait there and all who come later.
    public func open(_ gate: String) {
        locked {
            gates.insert(gate)
            pthread_cond_broadcast(change)
        }
    }

    /// Whether a gate is open. All are once the peer was stopped.
    public func isOpen(_ gate: String) -> Bool { locked { gates.contains(gate) || isStopped } }

    /// Has the calling thread wait until a gate is open. Not for threads that tasks run on.
    func block(until gate: String) {
        locked {
            while !gates.contains(gate), !isStopped { pthread_cond_wait(change, mutex) }
        }
    }

    /// Has the calling thread wait until a gate is open, but not for longer than `limit`.
    ///
    /// - Returns: Whether it is open.
    func block(until gate: String, within limit: Duration) -> Bool {
        let end = ContinuousClock.now + limit
        while !isOpen(gate), ContinuousClock.now < end { usleep(2_000) }
        return isOpen(gate)
    }

    /// Waits until a gate is open.
    public func wait(for gate: String) async {
        _ = await Waiting.until(within: .seconds(60)) { self.isOpen(gate) }
    }

    /// Opens all gates.
    public func stop() {
        locked {
            isStopped = true
            pthread_cond_broadcast(change)
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
