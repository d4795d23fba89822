internal import AirframeCore
internal import AirframeReachability
internal import Synchronization

extension NetworkCost {
    /// Has metrics ask AirframeReachability. The first question starts a watch, which later ones read.
    static let watched: Void = setSource {
        guard let path = PathCost.shared.path else { return nil }
        return Reading(isExpensive: path.isExpensive, isConstrained: path.isConstrained)
    }
}

/// The network path as the last update said.
private final class PathCost: Sendable {
    static let shared = PathCost()

    private struct State: ~Copyable {
        var watch: NetworkPathWatch?
        var path: NetworkPath?
    }

    // Guards the path, and the watch that keeps it up to date.
    private let state = Mutex(State())

    private init() {}

    /// The path; read at once when it is first asked for.
    var path: NetworkPath? {
        if let path = state.withLock({ $0.path }) { return path }
        let monitor = NetworkPathMonitor()
        guard let path = try? monitor.currentPath() else { return nil }
        let watch = try? monitor.start { [self] result in
            if let path = try? result.get() { state.withLock { $0.path = path } }
        }
        state.withLock { state in
            state.path = state.path ?? path
            state.watch = state.watch ?? watch
        }
        return path
    }
}
