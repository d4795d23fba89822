public import Dispatch
internal import Synchronization

/// Tells whether the network, or a host, can be reached, with Alamofire's API.
///
///     let manager = NetworkReachabilityManager()
///     manager?.startListening { status in print(status) }
///
/// Being reachable means that packets can leave, not that anyone answers. Do not use it to decide whether to send a
/// request: send it, and retry when the network is back. `NetworkPathMonitor` tells more.
///
/// `@unchecked Sendable` because the class is open: what changes of it is in `state`, behind a lock.
open class NetworkReachabilityManager: @unchecked Sendable {
    /// Called with the status when it changes.
    public typealias Listener = @Sendable (NetworkReachabilityStatus) -> Void

    /// A manager for the default routes; `nil` when the kernel cannot be asked.
    public static let `default` = NetworkReachabilityManager()

    /// The queue on which changes are told apart from repetitions. Listeners are called on the queue that they name.
    public let reachabilityQueue = DispatchQueue(label: "airframe.network-reachability")

    private struct State {
        var watcher: NetworkPathWatch?
        /// The last path of the watcher that runs.
        var path: NetworkPath?
        /// The last status that the listener was told.
        var told: NetworkReachabilityStatus?
        /// Counts calls of `startListening` and `stopListening`: what belongs to an earlier one is dropped.
        var generation = 0
    }

    private let monitor: NetworkPathMonitor
    // Guards what changes as listening starts, goes on and stops.
    private let state = Mutex(State())

    /// A manager for the default routes; `nil` when the kernel cannot be asked.
    public convenience init?() {
        self.init(.init())
    }

    /// A manager for one host.
    ///
    /// - Parameter host: A name or an address. `nil` is the result for an empty one, or where the kernel cannot be
    ///   asked.
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

    /// Whether it is reached by a mobile network.
    open var isReachableOnCellular: Bool { status == .reachable(.cellular) }

    /// Whether it is reached by anything but a mobile network.
    open var isReachableOnEthernetOrWiFi: Bool { status == .reachable(.ethernetOrWiFi) }

    /// What is true of the way out, in the terms of Apple's SystemConfiguration; `nil` when the kernel cannot be asked.
    open var flags: NetworkReachabilityFlags? { path.map(NetworkReachabilityFlags.init) }

    /// Whether, and how, the network can be reached. Without a listener it asks the kernel, and looks a host's name up.
    open var status: NetworkReachabilityStatus { path.map(NetworkReachabilityStatus.init) ?? .unknown }

    private var path: NetworkPath? {
        // A listener's path is as new as any: the thread that follows it answers within microseconds.
        state.withLock(\.path) ?? (try? monitor.currentPath())
    }

    /// Tells `listener` the status, now and when it changes. A listener from before is told no more.
    ///
    /// - Parameters:
    ///   - queue: Where the listener is called; the main queue by default.
    ///   - listener: Called with each status that differs from the one before.
    /// - Returns: Whether listening has started.
    @discardableResult
    open func startListening(
        onQueue queue: DispatchQueue = .main,
        onUpdatePerforming listener: @escaping Listener
    ) -> Bool {
        stopListening()
        let generation = state.withLock(\.generation)
        // Weak, or the thread that the manager owns would own the manager.
        let watcher = try? NetworkPathWatch(monitor.configuration) { [weak self, reachabilityQueue] result in
            reachabilityQueue.async { [weak self] in
                self?.tell(result, generation: generation, on: queue, listener)
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

    /// Ends the calls of the listener: none begins after this returns, but on another queue one may just be running.
    open func stopListening() {
        let watcher = state.withLock { state in
            let watcher = state.watcher
            state = State(generation: state.generation &+ 1)
            return watcher
        }
        watcher?.stop()
    }

    private func tell(
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
            defer { state.told = status }
            return state.told != status
        }
        guard isNew else { return }
        queue.async { [weak self] in
            guard let self, self.state.withLock({ $0.generation == generation }) else { return }
            listener(status)
        }
    }
}
