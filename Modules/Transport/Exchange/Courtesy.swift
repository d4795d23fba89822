#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Whether an engine's thread lets the tasks that it has woken run before it looks at its descriptors again.
///
/// Where they share a core with it, each answer that comes in would make it interrupt them for that one answer: two changes of
/// threads, which cost more than the answer does. Left alone they get on with their work, and what comes in meanwhile is
/// found at once. If something else takes the core for long, this is done less and less often.
package struct Courtesy {
    /// How long others may have the core before that is too long, in nanoseconds.
    private static let limit: Int64 = 2_000_000
    private static let longestPause = 256

    /// How many occasions are still to pass.
    private var pause = 0
    /// How many will, after the next time that took too long.
    private var nextPause = 1

    package init() {}

    /// Lets whoever else has something to do on this core go first.
    ///
    /// - Parameter yield: Does it, and says how many nanoseconds that took.
    package mutating func letOthersRun(_ yield: () -> Int64 = Self.yield) {
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

    /// Gives up the core, if somebody else wants it.
    package static func yield() -> Int64 {
        let start = SystemClock.shared.now
        sched_yield()
        return SystemClock.shared.now.nanoseconds &- start.nanoseconds
    }
}
