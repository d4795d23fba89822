internal import Glibc

/// The signals between a case and its peer: marks, which the peer sets, and gates, which the case opens.
///
/// `@unchecked Sendable`: the state is accessed with the mutex held only.
public final class PeerSignals: @unchecked Sendable {
    private var marks: [String: Int] = [:]
    private var derived: [String: @Sendable () -> Int] = [:]
    private var gates: Set<String> = []
    private var isStopped = false
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let change: UnsafeMutablePointer<pthread_cond_t>

    /// Creates signals without marks and with closed gates.
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

    /// Sets a mark. It may be set several times.
    public func mark(_ name: String) {
        locked { marks[name, default: 0] += 1 }
    }

    /// Returns how often a mark was set.
    public func count(of mark: String) -> Int {
        let (count, derive) = locked { (marks[mark] ?? 0, derived[mark]) }
        return derive?() ?? count
    }

    /// Derives a mark from `count`, which returns how often it was set.
    public func derive(_ mark: String, from count: @escaping @Sendable () -> Int) {
        locked { derived[mark] = count }
    }

    /// Waits until a mark has been set that often.
    ///
    /// - Parameters:
    ///   - mark: The name of the mark.
    ///   - count: How often it must have been set.
    ///   - limit: The longest wait.
    /// - Returns: Whether it was, within `limit` and before the peer was stopped or the task cancelled.
    public func reach(_ mark: String, count: Int = 1, within limit: Duration = .seconds(20)) async -> Bool {
        await Waiting.until(within: limit) { self.count(of: mark) >= count }
    }

    // MARK: Gates

    /// Opens a gate for current and later waiters.
    public func open(_ gate: String) {
        locked {
            gates.insert(gate)
            pthread_cond_broadcast(change)
        }
    }

    /// Returns whether a gate is open. All gates are open once the peer was stopped.
    public func isOpen(_ gate: String) -> Bool { locked { gates.contains(gate) || isStopped } }

    /// Blocks the calling thread until a gate is open. Do not call it on threads that run tasks.
    func block(until gate: String) {
        locked {
            while !gates.contains(gate), !isStopped { pthread_cond_wait(change, mutex) }
        }
    }

    /// Blocks the calling thread until a gate is open, at most for `limit`.
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
