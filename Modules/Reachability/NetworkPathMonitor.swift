/// An asynchronous sequence of network paths: how the machine, or the container, is connected.
///
///     for try await path in NetworkPathMonitor() {
///         print(path.isSatisfied ? "online" : "offline: \(path.reason?.rawValue ?? "")")
///     }
///
/// The first path is delivered immediately. A slow reader gets the latest path, and not the ones between. The
/// sequence ends when its task is cancelled. It needs no privileges, and uses no processor time while nothing changes.
public struct NetworkPathMonitor: AsyncSequence, Sendable {
    /// The settings of a monitor.
    public struct Configuration: Sendable {
        /// The name or address of the host that must be reachable; `nil` for the default routes.
        public var host: String?
        /// The name of the only interface that is considered; `nil` for all interfaces.
        public var interface: String?
        /// The shortest time between two paths during a burst of changes. A single change is reported
        /// immediately.
        public var debounce: Duration = .milliseconds(50)
        /// Whether to ask NetworkManager, on the system bus of D-Bus, which interfaces are metered. Without a bus,
        /// nothing is sent.
        public var asksNetworkManager = true
        /// The address of the bus; `nil` for the system's.
        package var systemBus: String?
        /// The network namespace to watch; `nil` for the one that the calling thread is in.
        package var namespace: NetworkNamespace?
        /// The size of the kernel's queue of events, in bytes; `nil` for the system's usual one.
        package var receiveBuffer: Int32?

        /// The default: all interfaces, no host.
        public init() {}

        /// Creates settings for a host, an interface, or both.
        public init(host: String? = nil, interface: String? = nil) {
            self.host = host
            self.interface = interface
        }

        /// The address of the bus to ask for metered interfaces; `nil` for none.
        var busAddress: BusAddress? {
            guard asksNetworkManager else { return nil }
            if let systemBus { return BusAddress.all(systemBus).first }
            // NetworkManager knows the interfaces of its own namespace only.
            return namespace == nil ? BusAddress.system : nil
        }
    }

    /// The settings of a monitor.
    public let configuration: Configuration

    /// Creates a monitor. It opens no socket before the first iteration.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Returns the current path. Blocks while the kernel answers, while the host's name is looked up, and for
    /// NetworkManager, if it runs, up to 0.2 s.
    ///
    /// - Throws: `NetworkPathError` when the kernel does not answer.
    public func currentPath() throws(NetworkPathError) -> NetworkPath {
        var reader = try PathReader(configuration)
        _ = try reader.refresh()
        var metered = MeteredWatch(configuration.busAddress)
        metered.settle(milliseconds: 200)
        return try reader.path(
            host: configuration.host.map { ($0, HostResolver.resolve($0)) },
            metered: metered.table
        )
    }

    /// Starts a watch with a callback instead of a sequence, without tasks and queues.
    ///
    /// - Parameter update: Called on the watch's own thread, with the current path and then with each path that differs
    ///   from the one before. While it runs, changes are merged into the next path.
    /// - Returns: The watch, which ends when it is released.
    /// - Throws: `NetworkPathError` when the kernel does not answer.
    public func start(_ update: @escaping NetworkPathWatch.Update) throws(NetworkPathError) -> NetworkPathWatch {
        try NetworkPathWatch(configuration, update: update)
    }

    /// Starts a watch.
    public func makeAsyncIterator() -> Iterator { Iterator(configuration) }

    /// The paths of one watch, which ends when the iterator is released.
    public struct Iterator: AsyncIteratorProtocol {
        private var results: AsyncStream<Result<NetworkPath, NetworkPathError>>.Iterator

        fileprivate init(_ configuration: Configuration) {
            let stream = AsyncStream<Result<NetworkPath, NetworkPathError>>(
                bufferingPolicy: .bufferingNewest(1)
            ) { continuation in
                do throws(NetworkPathError) {
                    let watcher = try NetworkPathWatch(configuration) { result in
                        continuation.yield(result)
                        if case .failure = result { continuation.finish() }
                    }
                    continuation.onTermination = { _ in watcher.stop() }
                } catch {
                    continuation.yield(.failure(error))
                    continuation.finish()
                }
            }
            results = stream.makeAsyncIterator()
        }

        /// The next path; `nil` once the task is cancelled.
        ///
        /// - Throws: `NetworkPathError` when the kernel does not answer.
        public mutating func next() async throws(NetworkPathError) -> NetworkPath? {
            try await next(isolation: #isolation)
        }

        /// The next path; `nil` once the task is cancelled.
        ///
        /// - Throws: `NetworkPathError` when the kernel does not answer.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkPathError) -> NetworkPath? {
            try await results.next(isolation: actor)?.get()
        }
    }
}
