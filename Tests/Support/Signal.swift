internal import Glibc
internal import Synchronization

/// A gate for which the scripts of servers wait until the test raises it.
public final class Signal: Sendable {
    private let isRaised = Atomic(false)

    /// Creates a signal that is not raised.
    public init() {}

    /// Lets the scripts continue.
    public func raise() { isRaised.store(true, ordering: .releasing) }

    /// Whether it was raised.
    public var isUp: Bool { isRaised.load(ordering: .acquiring) }

    /// Blocks the thread until the signal is raised, for at most 20 seconds.
    ///
    /// - Returns: Whether it was raised.
    @discardableResult
    public func wait() -> Bool {
        for _ in 0..<10_000 where !isUp { usleep(2_000) }
        return isUp
    }
}
