public import AirframeReachability
public import AirframeWebSocket

extension ReconnectingWebSocket {
    /// Reconnects immediately whenever a network returns, for the lifetime of the socket.
    ///
    /// - Parameter monitor: The monitor of network paths.
    /// - Throws: `NetworkPathError` if the kernel does not report paths.
    public func retriesWhenNetworkReturns(
        _ monitor: NetworkPathMonitor = NetworkPathMonitor()
    ) throws(NetworkPathError) {
        let watch = try monitor.start { [weak self] result in
            guard case .success(let path) = result, path.status == .satisfied else { return }
            self?.retryNow()
        }
        keep(watch)
    }
}
