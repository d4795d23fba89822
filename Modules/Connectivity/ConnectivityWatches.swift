internal import AirframeReachability
internal import Synchronization

/// The path watches of waiting requests: one per host, stopped when its last request stops waiting.
///
/// A watch has a thread and four descriptors, so a thousand requests that wait for one server share one watch.
final class ConnectivityWatches: Sendable {
    private struct Key: Hashable {
        let host: String
        let interface: String?
    }

    private struct Entry {
        let number: Int
        var watch: NetworkPathWatch?
        var latest: NetworkPath?
        var listeners: [Int: AsyncStream<NetworkPath>.Continuation]
    }

    /// The state of the default routes, watched from the first question on.
    private enum DefaultRoutes {
        case unwatched
        case watched(NetworkPathWatch?, NetworkPath)
        /// The kernel gave no answer.
        case unknown
    }

    private struct WatchTable {
        var entries: [Key: Entry] = [:]
        var defaultRoutes = DefaultRoutes.unwatched
        var count = 0

        mutating func nextNumber() -> Int {
            count += 1
            return count
        }
    }

    private let configuration: NetworkPathMonitor.Configuration
    // Guards the listeners of each watch and its latest path.
    private let table = Mutex(WatchTable())

    init(_ configuration: NetworkPathMonitor.Configuration) { self.configuration = configuration }

    /// The one host to watch, whatever a request's server is; `nil` to watch the servers.
    var configuredHost: String? { configuration.host }

    // MARK: The default routes

    /// The path over the default routes; `nil` if the kernel gave no answer. The first call starts a watch.
    var generalPath: NetworkPath? {
        switch table.withLock(\.defaultRoutes) {
        case .watched(_, let path): return path
        case .unknown: return nil
        case .unwatched: return startGeneralWatch()
        }
    }

    private func startGeneralWatch() -> NetworkPath? {
        let monitor = NetworkPathMonitor(configuration)
        guard let path = try? monitor.currentPath() else {
            table.withLock { $0.defaultRoutes = .unknown }
            return nil
        }
        let isFirst = table.withLock { table in
            guard case .unwatched = table.defaultRoutes else { return false }
            table.defaultRoutes = .watched(nil, path)
            return true
        }
        guard isFirst else { return path }
        let watch = try? monitor.start { [weak self] result in self?.takeGeneral(result) }
        table.withLock { table in
            guard case .watched(_, let path) = table.defaultRoutes else { return }
            // Without a watch the path would become stale.
            table.defaultRoutes = watch.map { .watched($0, path) } ?? .unknown
        }
        return path
    }

    private func takeGeneral(_ result: Result<NetworkPath, NetworkPathError>) {
        table.withLock { table in
            guard case .watched(let watch, _) = table.defaultRoutes, case .success(let path) = result else {
                table.defaultRoutes = .unknown
                return
            }
            table.defaultRoutes = .watched(watch, path)
        }
    }

    // MARK: Hosts

    /// Returns the paths to each of `hosts`: the current ones, then each change.
    ///
    /// - Returns: The paths, and a continuation whose `finish()` ends the subscription; `nil` if the kernel gave no
    ///   answer.
    func paths(
        to hosts: Set<String>,
        through interface: String?
    ) -> (stream: AsyncStream<NetworkPath>, end: AsyncStream<NetworkPath>.Continuation)? {
        let (stream, continuation) = AsyncStream<NetworkPath>.makeStream()
        var subscriptions: [(Key, Int)] = []
        for host in hosts {
            let key = Key(host: host, interface: interface ?? configuration.interface)
            guard let number = subscribe(to: key, continuation) else { continue }
            subscriptions.append((key, number))
        }
        let isComplete = subscriptions.count == hosts.count
        continuation.onTermination = { [weak self, subscriptions] _ in
            for (key, number) in subscriptions { self?.unsubscribe(number, from: key) }
        }
        guard isComplete else {
            continuation.finish()
            return nil
        }
        return (stream, continuation)
    }

    private func subscribe(to key: Key, _ listener: AsyncStream<NetworkPath>.Continuation) -> Int? {
        let (number, isNew) = table.withLock { table in
            let number = table.nextNumber()
            let isNew = table.entries[key] == nil
            if isNew {
                table.entries[key] = Entry(number: number, listeners: [number: listener])
            } else {
                table.entries[key]?.listeners[number] = listener
                // Under the lock, so that a newer path cannot overtake it.
                if let path = table.entries[key]?.latest { listener.yield(path) }
            }
            return (number, isNew)
        }
        return !isNew || start(key, number: number) ? number : nil
    }

    private func start(_ key: Key, number: Int) -> Bool {
        var own = configuration
        own.host = key.host
        own.interface = key.interface
        let watch = try? NetworkPathMonitor(own).start { [weak self] result in self?.take(result, key, number) }
        guard let watch else {
            end(key, number: number)
            return false
        }
        let isWanted = table.withLock { table in
            guard table.entries[key]?.number == number else { return false }
            table.entries[key]?.watch = watch
            return true
        }
        if !isWanted { watch.stop() }
        return true
    }

    private func take(_ result: Result<NetworkPath, NetworkPathError>, _ key: Key, _ number: Int) {
        guard case .success(let path) = result else { return end(key, number: number) }
        table.withLock { table in
            guard table.entries[key]?.number == number else { return }
            table.entries[key]?.latest = path
            for listener in (table.entries[key]?.listeners ?? [:]).values { listener.yield(path) }
        }
    }

    /// Ends a watch after an error from the kernel, and the waits on it.
    private func end(_ key: Key, number: Int) {
        let entry = table.withLock { table in
            table.entries[key]?.number == number ? table.entries.removeValue(forKey: key) : nil
        }
        // Outside the lock: a finished listener unsubscribes.
        for listener in (entry?.listeners ?? [:]).values { listener.finish() }
        entry?.watch?.stop()
    }

    private func unsubscribe(_ number: Int, from key: Key) {
        let watch = table.withLock { table -> NetworkPathWatch? in
            table.entries[key]?.listeners[number] = nil
            guard table.entries[key]?.listeners.isEmpty == true else { return nil }
            return table.entries.removeValue(forKey: key)?.watch
        }
        watch?.stop()
    }
}
