internal import AirframeCore
internal import AirframeReachability
internal import Synchronization

extension NetworkCost {
    /// Sets AirframeReachability as the source of the network's cost. The first read starts a watch, which later ones
    /// use.
    static let watched: Void = setSource {
        guard let path = PathCost.shared.path else { return nil }
        return Reading(isExpensive: path.isExpensive, isConstrained: path.isConstrained)
    }
}

/// The network path of the last update.
private final class PathCost: Sendable {
    static let shared = PathCost()

    private struct WatchedPath: ~Copyable {
        var watch: NetworkPathWatch?
        var path: NetworkPath?
    }

    // Guards the path and the watch that updates it.
    private let watched = Mutex(WatchedPath())

    private init() {}

    /// The path. The first call reads it synchronously.
    var path: NetworkPath? {
        if let path = watched.withLock({ $0.path }) { return path }
        let monitor = NetworkPathMonitor()
        guard let path = try? monitor.currentPath() else { return nil }
        let watch = try? monitor.start { [self] result in
            if let path = try? result.get() { watched.withLock { $0.path = path } }
        }
        watched.withLock { watched in
            watched.path = watched.path ?? path
            watched.watch = watched.watch ?? watch
        }
        return path
    }
}
