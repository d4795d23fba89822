internal import AirframeWire
internal import Synchronization

/// Decides whether the only exchange in flight lets input gather before it reads again.
///
/// A fast server sends one TLS record or segment after another, and each wakes the reader, which costs as much as
/// reading it. While bytes arrive fast, the reader sleeps for ``pause`` instead and then reads the gathered bytes, as
/// network cards delay their interrupts (`Docs/Decisions/0134-fast-input-gathers.md`).
///
/// One task or thread at a time reads a socket and uses its meter, hence relaxed accesses.
struct InflowMeter: ~Copyable, Sendable {
    /// How long input gathers, in nanoseconds. The kernel may add 50 µs (`PR_SET_TIMERSLACK`).
    static let pause = 30_000

    /// The minimum rate in bytes per microsecond. At this rate, some 32 KiB arrive in a pause.
    static let rate: UInt64 = 400

    /// The minimum number of bytes between two waits. Small responses stay below it.
    static let minimum: UInt32 = 8192

    // Both numbers may wrap around, which costs or saves a pause: an idle connection should be small.
    /// The number of bytes read since the last wait.
    private let count = Atomic<UInt32>(0)
    /// When the last wait began that ``minimum`` bytes preceded, in microseconds; 0 if fewer preceded the last wait.
    private let waitedAt = Atomic<UInt32>(0)

    /// Notes that `count` bytes were read.
    func note(_ count: Int) {
        let sum = self.count.load(ordering: .relaxed) &+ UInt32(truncatingIfNeeded: count)
        self.count.store(sum, ordering: .relaxed)
    }

    /// Returns whether bytes arrive so fast that the next ones should gather. Called before each wait.
    ///
    /// - Parameter instant: The present instant of the monotonic clock, in nanoseconds. Evaluated only after many
    ///   bytes.
    func isFast(at instant: @autoclosure () -> Int64 = Monotonic.now) -> Bool {
        let count = count.load(ordering: .relaxed)
        self.count.store(0, ordering: .relaxed)
        let last = waitedAt.load(ordering: .relaxed)
        guard count >= Self.minimum else {
            if last != 0 { waitedAt.store(0, ordering: .relaxed) }
            return false
        }
        let now = UInt32(truncatingIfNeeded: instant() / 1000)
        waitedAt.store(now, ordering: .relaxed)
        return last != 0 && UInt64(count) >= UInt64(now &- last) * Self.rate
    }
}
