internal import AirframeWire
internal import Synchronization

/// Decides whether the only exchange in flight spins on its socket before it leaves the wait to the reactor.
///
/// Waking a task through the reactor takes two thread switches, 10 to 25 µs each, as much as the rest of a small
/// request. Spinning for less time than that costs nothing in comparison.
///
/// A spin occupies a thread of Swift's pool. Where requests are concurrent, another request may be waiting for that
/// thread to begin, and exchanges therefore spin only after ``solitude`` in a row have begun alone.
final class SpinBudget: Sendable {
    /// The maximum time to spin, in nanoseconds.
    static let limit = 200_000
    /// The number of exchanges in a row that must have begun while no other was in flight.
    static let solitude = 8

    private static let turnLength: UInt = 8

    private let backOff = BackOff()
    /// The number of exchanges in a row that have begun alone, up to ``solitude``.
    private let aloneCount = Atomic(SpinBudget.solitude)
    private let hitCount = Atomic<UInt>(0)

    /// Records that an exchange begins. Stores only on a change, so that cores do not contend for the cache line.
    func noteExchange(isAlone: Bool) {
        let count = aloneCount.load(ordering: .relaxed)
        let next = isAlone ? min(count + 1, Self.solitude) : 0
        if next != count { aloneCount.store(next, ordering: .relaxed) }
    }

    /// Returns whether to spin this time.
    func isWorthwhile() -> Bool { aloneCount.load(ordering: .relaxed) == Self.solitude && backOff.isDue() }

    /// Records that the socket became ready in time.
    ///
    /// - Returns: Whether to yield the thread, for which other tasks that want to send may be waiting.
    func recordHit() -> Bool {
        backOff.recordSuccess()
        return hitCount.wrappingAdd(1, ordering: .relaxed).newValue % Self.turnLength == 0
    }

    /// Records that the socket did not become ready in time.
    func recordMiss() { backOff.recordFailure() }
}
