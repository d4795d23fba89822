/// Tells a queue whether there is a network, and whether it is metered.
///
/// The module needs no monitor of its own: the umbrella's `NetworkPathMonitor.transferNetwork()` is one, a test's
/// double another.
public protocol TransferNetwork: Sendable {
    /// The network as it is now.
    var status: TransferNetworkStatus { get async }
    /// A sequence that brings an element whenever the network may have changed.
    var changes: AsyncStream<Void> { get }
}

/// What a network is like.
public struct TransferNetworkStatus: Sendable, Hashable {
    /// Whether there is one.
    public var isConnected: Bool
    /// Whether its use is paid by volume.
    public var isMetered: Bool

    /// Describes a network.
    public init(isConnected: Bool, isMetered: Bool) {
        self.isConnected = isConnected
        self.isMetered = isMetered
    }
}

/// A network that is always there: for queues without a monitor.
public struct AlwaysConnected: TransferNetwork {
    /// Makes the network.
    public init() {}
    /// Connected, and not metered.
    public var status: TransferNetworkStatus { TransferNetworkStatus(isConnected: true, isMetered: false) }
    /// No elements.
    public var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }
}
