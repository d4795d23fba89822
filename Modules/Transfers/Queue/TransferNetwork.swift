/// Reports whether there is a network and whether it is metered.
///
/// The umbrella's `NetworkPathMonitor.transferNetwork()` returns an implementation, so that this module depends on no
/// monitor.
public protocol TransferNetwork: Sendable {
    /// The current state of the network.
    var status: TransferNetworkStatus { get async }
    /// A sequence with an element for each possible change of the network.
    var changes: AsyncStream<Void> { get }
}

/// The state of a network.
public struct TransferNetworkStatus: Sendable, Hashable {
    /// Whether the system has a network connection.
    public var isConnected: Bool
    /// Whether the network is charged by volume.
    public var isMetered: Bool

    /// Creates a status.
    public init(isConnected: Bool, isMetered: Bool) {
        self.isConnected = isConnected
        self.isMetered = isMetered
    }
}

/// A network that is always available and not metered, for queues without a monitor.
public struct AlwaysConnected: TransferNetwork {
    /// Creates the network.
    public init() {}
    /// Connected, and not metered.
    public var status: TransferNetworkStatus { TransferNetworkStatus(isConnected: true, isMetered: false) }
    /// No elements.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
