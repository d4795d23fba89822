internal import AirframeTransport
internal import Synchronization

/// Divides a number of bytes per second among transfers.
///
/// Each piece of content gets the next free interval, in the order of the calls, and its transfer waits for the start
/// of that interval. A transfer asks again only after its piece, so transfers with pieces of the same size get the
/// same rate.
final class RateLimiter: Sendable {
    private struct Schedule {
        var bytesPerSecond: Int64?
        var nextFree: MonotonicInstant
    }

    /// The maximum age of the schedule. Capacity that was not used for longer than this is lost.
    private static let burst = Duration.milliseconds(50)

    private let clock: any TransportClock
    // Guards the rate and the end of the last interval that was assigned.
    private let schedule: Mutex<Schedule>

    /// - Parameters:
    ///   - bytesPerSecond: The rate; `nil` for no limit.
    ///   - clock: The clock to wait on.
    init(bytesPerSecond: Int64?, clock: any TransportClock) {
        self.clock = clock
        schedule = Mutex(Schedule(bytesPerSecond: bytesPerSecond, nextFree: clock.now))
    }

    /// Sets the rate for all pieces that have no interval yet.
    func setRate(_ bytesPerSecond: Int64?) { schedule.withLock { $0.bytesPerSecond = bytesPerSecond } }

    /// Waits until `count` bytes may be transferred.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func acquire(_ count: Int) async throws {
        let now = clock.now
        let start = schedule.withLock { schedule -> MonotonicInstant? in
            guard let rate = schedule.bytesPerSecond, rate > 0 else { return nil }
            let start = max(schedule.nextFree, now.advanced(by: .zero - Self.burst))
            schedule.nextFree = start.advanced(by: .clamping(seconds: Double(count) / Double(rate)))
            return start
        }
        guard let start, start > now else { return }
        try await clock.sleep(until: start)
    }
}
