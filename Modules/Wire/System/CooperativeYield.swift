internal import AirframeTransport
internal import Glibc

/// Decides whether an engine's thread yields the core to the tasks that it has resumed before it polls again.
///
/// The thread and the tasks may share a core. If the thread polls immediately, each arriving response interrupts the
/// tasks, and the two context switches cost more than the response itself. If it yields first, the tasks finish their
/// work, and one poll then finds everything that arrived meanwhile. When another thread keeps the core for long, the
/// engine yields less often. `Docs/Decisions/0033-engines-let-others-run.md` has the measurements.
package struct CooperativeYield {
    /// The longest time that a yield may take before it counts as too long, in nanoseconds.
    private static let limit: Int64 = 2_000_000
    private static let longestPause = 256

    /// The number of opportunities to skip before the next yield.
    private var pause = 0
    /// The number of opportunities to skip after the next yield that takes too long.
    private var nextPause = 1

    package init() {}

    /// Yields, unless recent yields took too long.
    ///
    /// - Parameter yield: Yields the core and returns how long that took, in nanoseconds.
    package mutating func yieldIfQuick(_ yield: () -> Int64 = Self.yield) {
        guard pause == 0 else {
            pause -= 1
            return
        }
        if yield() < Self.limit {
            nextPause = max(1, nextPause / 2)
        } else {
            pause = nextPause
            nextPause = min(2 * nextPause, Self.longestPause)
        }
    }

    /// Yields the core and returns how long that took, in nanoseconds.
    package static func yield() -> Int64 {
        let start = SystemClock.shared.now
        sched_yield()
        return SystemClock.shared.now.nanoseconds &- start.nanoseconds
    }
}
