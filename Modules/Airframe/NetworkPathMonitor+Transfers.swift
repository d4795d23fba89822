public import AirframeReachability
public import AirframeTransfers
internal import Synchronization

extension NetworkPathMonitor {
    /// Returns a network for a ``TransferQueue`` that follows this monitor.
    ///
    /// ```swift
    /// var configuration = TransferQueue.Configuration()
    /// configuration.network = try NetworkPathMonitor().transferNetwork()
    /// ```
    ///
    /// - Throws: `NetworkPathError` if the kernel does not report paths.
    public func transferNetwork() throws(NetworkPathError) -> any TransferNetwork { try WatchedNetwork(self) }
}

/// The network as reported by the kernel.
private final class WatchedNetwork: TransferNetwork {
    private struct NetworkState: ~Copyable {
        var watch: NetworkPathWatch?
        var status: TransferNetworkStatus
        var observers: [AsyncStream<Void>.Continuation] = []
    }

    // Guards the last path, the watch that updates it, and its observers.
    private let state: Mutex<NetworkState>

    init(_ monitor: NetworkPathMonitor) throws(NetworkPathError) {
        let path = try monitor.currentPath()
        state = Mutex(NetworkState(watch: nil, status: Self.status(of: path)))
        let watch = try monitor.start { [weak self] result in
            if case .success(let path) = result { self?.take(path) }
        }
        state.withLock { $0.watch = watch }
    }

    deinit {
        state.withLock { state in
            for observer in state.observers { observer.finish() }
        }
    }

    var status: TransferNetworkStatus { state.withLock { $0.status } }

    var changes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.observers.append(continuation) }
        return stream
    }

    private func take(_ path: NetworkPath) {
        let observers = state.withLock { state in
            state.status = Self.status(of: path)
            return state.observers
        }
        for observer in observers { observer.yield() }
    }

    private static func status(of path: NetworkPath) -> TransferNetworkStatus {
        TransferNetworkStatus(isConnected: path.isSatisfied, isMetered: path.isExpensive)
    }
}
