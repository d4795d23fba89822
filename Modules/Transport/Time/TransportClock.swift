public import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The time that a transport and its layers live by. A test's clock stands still until it is moved.
public protocol TransportClock: Sendable {
    /// The current instant.
    var now: MonotonicInstant { get }

    /// The calendar date at `instant`.
    func date(at instant: MonotonicInstant) -> Date

    /// Returns at `deadline`, or at once when it has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
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
    /// On Linux each priority has threads of its own, as many as there are cores. No name stands for this one, so that
    /// semaphores in users' tasks cannot take the threads that these requests need. The kernel schedules all alike. It
    /// is not 0x21, user-interactive, because tasks within a task of that priority get a lower one.
    package static let exchange = TaskPriority(rawValue: isLinux ? 0x20 : TaskPriority.high.rawValue)

    /// The priority at which a request waits whose task has this one. Requests that no task waits for, and those that
    /// were started outside of tasks, wait at medium priority.
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
    /// The one clock of the system.
    public static let shared = SystemClock()

    /// The current instant: nanoseconds since the machine started, not counting sleep.
    public var now: MonotonicInstant {
        // Half the cost of `ContinuousClock.now`, whose 128-bit duration would have to be taken apart here.
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The date at `instant`, by the system's calendar clock as it is now.
    public func date(at instant: MonotonicInstant) -> Date {
        // By nanoseconds: taking a duration apart costs more than reading both clocks.
        Date(timeIntervalSinceNow: Double(instant.nanoseconds &- now.nanoseconds) / 1e9)
    }

    /// Returns at `deadline`, or at once when it has passed.
    public func sleep(until deadline: MonotonicInstant) async throws {
        try await Task.sleep(for: now.duration(to: deadline), tolerance: nil, clock: .suspending)
    }
}
