internal import CNetlink
internal import Glibc
internal import Synchronization

/// A watch that `NetworkPathMonitor.start(_:)` has begun. It ends with `stop()`, or when nobody holds it any more.
///
/// It is a thread that sleeps in `poll` until the network changes. A thread of its own, because that costs nothing
/// while it sleeps and answers within microseconds; a queue's threads come and go on timers.
public final class NetworkPathWatch: Sendable {
    /// Called with each new path; an error comes last.
    public typealias Update = @Sendable (Result<NetworkPath, NetworkPathError>) -> Void

    private let wake: WakeUp
    private let isStopped: Flag

    /// Opens the sockets and starts the thread.
    ///
    /// - Parameter update: Called on the thread with the path as it is and with each that differs from the one before;
    ///   an error comes last. After `stop()`, at most a call that has already begun.
    init(_ configuration: NetworkPathMonitor.Configuration, update: @escaping Update) throws(NetworkPathError) {
        let wake = try WakeUp()
        let isStopped = Flag()
        self.wake = wake
        self.isStopped = isStopped
        let reader = try PathReader(configuration)
        // The thread takes the reader out of the box: what cannot be copied cannot be captured.
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

    /// Ends the watch. A call that has begun goes on; no other begins.
    public func stop() {
        isStopped.raise()
        wake.ring()
    }
}

/// A flag that is raised once.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isRaised: Bool { value.load(ordering: .acquiring) }

    func raise() { value.store(true, ordering: .releasing) }
}
