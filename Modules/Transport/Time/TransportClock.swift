public import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The clock of a transport and its layers. A test's clock stands still until the test advances it.
public protocol TransportClock: Sendable {
    /// The current instant.
    var now: MonotonicInstant { get }

    /// Returns the calendar date at `instant`.
    func date(at instant: MonotonicInstant) -> Date

    /// Returns at `deadline`, or immediately if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(until deadline: MonotonicInstant) async throws
}

extension TransportClock {
    /// Returns after `duration`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(for duration: Duration) async throws {
        try await sleep(until: now.advanced(by: duration))
    }
}

extension TaskPriority {
    /// The priority of requests that no task waits for.
    ///
    /// On Linux the concurrency runtime has one pool of threads for each priority, with a thread for each core. No
    /// named priority has this value, so user tasks that block on a semaphore cannot occupy the threads of these
    /// requests. The kernel schedules all pools alike. The value is not 0x21, user-interactive, because child tasks of
    /// that priority get a lower one.
    package static let exchange = TaskPriority(rawValue: isLinux ? 0x20 : TaskPriority.high.rawValue)

    /// The priority at which a request from a task of this priority waits for a connection. Requests that no task waits
    /// for, and requests started outside of tasks, wait at medium priority.
    package var ofWaiter: TaskPriority { self == .exchange || rawValue == 0 ? .medium : self }

    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}

/// The system's monotonic clock.
public struct SystemClock: TransportClock {
    /// The shared instance.
    public static let shared = SystemClock()

    /// The current instant: nanoseconds since the machine started, not counting sleep.
    public var now: MonotonicInstant {
        // `ContinuousClock.now` takes twice as long, because its 128-bit duration would have to be converted.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Returns the date at `instant`, by the current setting of the system's calendar clock.
    public func date(at instant: MonotonicInstant) -> Date {
        // In nanoseconds: splitting a duration into components takes longer than reading both clocks.
        Date(timeIntervalSinceNow: Double(instant.nanoseconds &- now.nanoseconds) / 1e9)
    }

    /// Returns at `deadline`, or immediately if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: MonotonicInstant) async throws {
        try await Task.sleep(for: now.duration(to: deadline), tolerance: nil, clock: .suspending)
    }
}
