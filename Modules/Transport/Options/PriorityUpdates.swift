internal import Synchronization

/// Changes the priority of a request while it is in flight (RFC 9218 §7).
///
/// ```swift
/// let priorityUpdates = PriorityUpdates()
/// request.priorityUpdates = priorityUpdates
/// let prioritized = request
/// async let response = transport.send(prioritized)
/// priorityUpdates.update(RequestPriority(urgency: 0))
/// ```
///
/// Over HTTP/2 an engine that claims ``TransportFeatures/priorityUpdates`` sends a PRIORITY_UPDATE frame. HTTP/1.1 has
/// no means to change a priority: an update that comes after the head of the request has no effect there. The latest
/// priority also applies to further exchanges of the same request, such as those that follow a redirect.
public final class PriorityUpdates: Sendable {
    private struct PriorityState {
        var latest: RequestPriority?
        var onChange: (@Sendable () -> Void)?
    }

    // Guards the latest priority and the closure to call, which is called without the lock.
    private let state = Mutex(PriorityState())

    /// Creates an object without an update.
    public init() {}

    /// The priority of the last update; `nil` before the first.
    public var latest: RequestPriority? { state.withLock { $0.latest } }

    /// Changes the priority.
    public func update(_ priority: RequestPriority) {
        let onChange = state.withLock { state in
            state.latest = priority
            return state.onChange
        }
        onChange?()
    }

    /// Reports updates to an engine, in place of any earlier observer.
    ///
    /// - Parameters:
    ///   - sent: The priority that the head of the request carried. If the latest one differs, `onChange` is called
    ///     immediately.
    ///   - onChange: Called on the thread of the update. It reads ``latest`` when it applies the update, so that the
    ///     last of several concurrent updates decides.
    public func observe(after sent: RequestPriority?, onChange: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.onChange = onChange
            return state.latest != nil && state.latest != sent
        }
        if isLate { onChange() }
    }
}
