internal import CNetlink
internal import Glibc
internal import Synchronization

/// A watch that `NetworkPathMonitor.start(_:)` started. It ends with `stop()`, or with its last reference.
///
/// It is a thread that sleeps in `poll` until the network changes. A thread of its own answers within microseconds,
/// while Dispatch starts and ends the threads of a queue on timers.
public final class NetworkPathWatch: Sendable {
    /// Called with each new path; an error is the last call.
    public typealias Update = @Sendable (Result<NetworkPath, NetworkPathError>) -> Void

    private let wake: WakeUp
    private let isStopped: Flag

    /// Opens the sockets and starts the thread.
    ///
    /// - Parameter update: Called on the thread with the current path and with each path that differs from the one
    ///   before; an error is the last call. After `stop()`, only a call that has already begun may still run.
    init(_ configuration: NetworkPathMonitor.Configuration, update: @escaping Update) throws(NetworkPathError) {
        let wake = try WakeUp()
        let isStopped = Flag()
        self.wake = wake
        self.isStopped = isStopped
        let reader = try PathReader(configuration)
        // The reader is noncopyable, so the closure captures a box and the thread takes the reader out of it.
        let box = Mutex<PathReader?>(reader)
        let host = configuration.host.map { HostResolver($0, wake: wake) }
        let bus = configuration.busAddress
        let debounce = configuration.debounce
        let hasStarted = Thread.detach {
            guard let reader = box.withLock({ $0.take() }) else { return }
            var loop = PathLoop(
                reader,
                host: host,
                bus: bus,
                wake: wake,
                isStopped: isStopped,
                debounce: debounce,
                update: update
            )
            loop.run()
        }
        guard hasStarted else { throw NetworkPathError("start a thread", code: EAGAIN) }
    }

    deinit { stop() }

    /// Ends the watch. A call that has begun continues; no other begins.
    public func stop() {
        isStopped.raise()
        wake.ring()
    }
}

/// A flag that is set once.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
