public import Dispatch
internal import Synchronization

/// Reports whether the network, or a host, can be reached, with Alamofire's API.
///
///     let manager = NetworkReachabilityManager()
///     manager?.startListening { status in print(status) }
///
/// Reachable means that packets can leave, not that the host answers. Do not use it to decide whether to send a
/// request: send it, and retry when the network is back. `NetworkPathMonitor` reports more.
///
/// `@unchecked Sendable` because the class is open: its mutable state is in `state`, behind a lock.
open class NetworkReachabilityManager: @unchecked Sendable {
    /// Called with the status when it changes.
    public typealias Listener = @Sendable (NetworkReachabilityStatus) -> Void

    /// A manager for the default routes; `nil` when the kernel does not answer.
    public static let `default` = NetworkReachabilityManager()

    /// The queue on which repeated statuses are dropped. Listeners are called on the queue that they name.
    public let reachabilityQueue = DispatchQueue(label: "airframe.network-reachability")

    private struct ListeningState {
        var watcher: NetworkPathWatch?
        /// The last path of the running watch.
        var path: NetworkPath?
        /// The last status that the listener received.
        var reported: NetworkReachabilityStatus?
        /// Counts calls of `startListening` and `stopListening`: paths for an earlier call are dropped.
        var generation = 0
    }

    private let monitor: NetworkPathMonitor
    // Guards the state of listening.
    private let state = Mutex(ListeningState())

    /// A manager for the default routes; `nil` when the kernel does not answer.
    public convenience init?() {
        self.init(.init())
    }

    /// A manager for one host.
    ///
    /// - Parameter host: A name or an address. The result is `nil` for an empty host, or when the kernel does not
    ///   answer.
    public convenience init?(host: String) {
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "\0" }) else { return nil }
        self.init(.init(host: host))
    }

    package init?(_ configuration: NetworkPathMonitor.Configuration) {
        monitor = NetworkPathMonitor(configuration)
        guard (try? PathReader(configuration)) != nil else { return nil }
    }

    deinit { stopListening() }

    /// Whether the network, or the host, can be reached.
    open var isReachable: Bool { isReachableOnCellular || isReachableOnEthernetOrWiFi }

    /// Whether the network is reached by a mobile network.
    open var isReachableOnCellular: Bool { status == .reachable(.cellular) }

    /// Whether the network is reached by anything but a mobile network.
    open var isReachableOnEthernetOrWiFi: Bool { status == .reachable(.ethernetOrWiFi) }

    /// The flags of the route, in the terms of Apple's SystemConfiguration; `nil` when the kernel does not answer.
    open var flags: NetworkReachabilityFlags? { path.map(NetworkReachabilityFlags.init) }

    /// Whether, and how, the network can be reached. Without a listener it queries the kernel, and looks a host's name
    /// up.
    open var status: NetworkReachabilityStatus { path.map(NetworkReachabilityStatus.init) ?? .unknown }

    private var path: NetworkPath? {
        // The path of a listener is current: its thread follows the kernel within microseconds.
        state.withLock(\.path) ?? (try? monitor.currentPath())
    }

    /// Calls `listener` with the status, now and when it changes. An earlier listener is not called again.
    ///
    /// - Parameters:
    ///   - queue: The queue of the listener; the main queue by default.
    ///   - listener: Called with each status that differs from the one before.
    /// - Returns: Whether listening has started.
    @discardableResult
    open func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping Listener
    ) -> Bool {
        stopListening()
        // Another call may have begun since: this one replaces it.
        let generation = beginGeneration()
        // Weak: the thread, which the manager owns, must not own the manager.
        let watcher = try? NetworkPathWatch(monitor.configuration) { [weak self, reachabilityQueue] result in
            reachabilityQueue.async { [weak self] in
                self?.report(result, generation: generation, on: queue, listener)
            }
        }
        guard let watcher else { return false }
        let isCurrent = state.withLock { state in
            guard state.generation == generation else { return false }
            state.watcher = watcher
            return true
        }
        if !isCurrent { watcher.stop() }
        return isCurrent
    }

    /// Ends the calls of the listener: no call begins after this returns. A call on another queue may still run.
    open func stopListening() { _ = beginGeneration() }

    /// Ends the running watch.
    ///
    /// - Returns: The number of the new generation, which no other call has.
    private func beginGeneration() -> Int {
        let (watcher, generation) = state.withLock { state in
            let watcher = state.watcher
            state = ListeningState(generation: state.generation &+ 1)
            return (watcher, state.generation)
        }
        watcher?.stop()
        return generation
    }

    private func report(
        _ result: Result<NetworkPath, NetworkPathError>,
        generation: Int,
        on queue: DispatchQueue,
        _ listener: @escaping Listener
    ) {
        let path = try? result.get()
        let status = path.map(NetworkReachabilityStatus.init) ?? .unknown
        let isNew = state.withLock { state in
            guard state.generation == generation else { return false }
            state.path = path
            defer { state.reported = status }
            return state.reported != status
        }
        guard isNew else { return }
        queue.async { [weak self] in
            guard let self, self.state.withLock({ $0.generation == generation }) else { return }
            listener(status)
        }
    }
}
