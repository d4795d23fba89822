/// Tells how the machine, or the container, is connected, now and whenever that changes.
///
///     for try await path in NetworkPathMonitor() {
///         print(path.isSatisfied ? "online" : "offline: \(path.reason?.rawValue ?? "")")
///     }
///
/// The first path comes at once. A reader that is slow gets the latest path next, not all that it has missed. The
/// sequence ends when its task is cancelled. It needs no privileges, and costs nothing while nothing changes.
public struct NetworkPathMonitor: AsyncSequence, Sendable {
    /// What to watch, and how.
    public struct Configuration: Sendable {
        /// The host whose reachability decides, as a name or an address; `nil` to go by the default routes.
        public var host: String?
        /// The name of the one interface that counts; `nil` for all.
        public var interface: String?
        /// The shortest time between two paths while changes come in a burst. A change that comes alone is told at
        /// once.
        public var debounce: Duration = .milliseconds(50)
        /// Whether to ask NetworkManager, on the system bus of D-Bus, which interfaces are metered. Where there is
        /// none, that costs nothing.
        public var asksNetworkManager = true
        /// The address of the bus; `nil` for the system's.
        package var systemBus: String?
        /// The network namespace to watch; `nil` for the one that the calling thread is in.
        package var namespace: NetworkNamespace?
        /// The size of the kernel's queue of events, in bytes; `nil` for the system's usual one.
        package var receiveBuffer: Int32?

        /// The default: all interfaces, no host.
        public init() {}

        /// Names a host, an interface, or both.
        public init(host: String? = nil, interface: String? = nil) {
            self.host = host
            self.interface = interface
        }

        /// Where to ask for what is metered; `nil` for nowhere.
        var busAddress: BusAddress? {
            guard asksNetworkManager else { return nil }
            if let systemBus { return BusAddress.all(systemBus).first }
            // The interfaces of another namespace are not the ones that NetworkManager knows by their names.
            return namespace == nil ? BusAddress.system : nil
        }
    }

    /// What to watch, and how.
    public let configuration: Configuration

    /// A monitor; nothing happens before it is iterated over.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// The path as it is now. Blocks while the kernel answers, while the host's name is looked up, and for
    /// NetworkManager, if it is there, up to 0.2 s.
    ///
    /// - Throws: `NetworkPathError` when the kernel cannot be asked.
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

    /// Starts watching, with a callback instead of a sequence: without tasks and without queues.
    ///
    /// - Parameter update: Called on the watch's own thread, with the path as it is and then with each that differs
    ///   from the one before. While it runs, changes wait, and the latest is told next.
    /// - Returns: The watch, which ends when it is released.
    /// - Throws: `NetworkPathError` when the kernel cannot be asked.
    public func start(_ update: @escaping NetworkPathWatch.Update) throws(NetworkPathError) -> NetworkPathWatch {
        try NetworkPathWatch(configuration, update: update)
    }

    /// Starts watching.
    public func makeAsyncIterator() -> Iterator { Iterator(configuration) }

    /// The paths of one watch. The watch ends with it.
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
        /// - Throws: `NetworkPathError` when the kernel cannot be asked.
        public mutating func next() async throws(NetworkPathError) -> NetworkPath? {
            try await next(isolation: #isolation)
        }

        /// The next path; `nil` once the task is cancelled.
        ///
        /// - Throws: `NetworkPathError` when the kernel cannot be asked.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(NetworkPathError) -> NetworkPath? {
            try await results.next(isolation: actor)?.get()
        }
    }
}
