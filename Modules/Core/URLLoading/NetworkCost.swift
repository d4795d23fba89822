internal import Synchronization

/// The source of the network's cost for metrics. Core does not observe networks: the umbrella sets the source to
/// AirframeReachability.
package enum NetworkCost {
    /// The properties of the machine's network.
    package struct Reading: Sendable {
        /// Whether traffic is likely to cost money.
        package let isExpensive: Bool
        /// Whether the user wants to limit traffic.
        package let isConstrained: Bool

        /// Creates the properties of a network.
        package init(isExpensive: Bool, isConstrained: Bool) {
            self.isExpensive = isExpensive
            self.isConstrained = isConstrained
        }
    }

    /// Called when the properties of metrics are read.
    package typealias Source = @Sendable () -> Reading?

    // Guards the source.
    private static let source = Mutex<Source?>(nil)

    /// Sets the source.
    package static func setSource(_ read: @escaping Source) { source.withLock { $0 = read } }

    /// The current properties; `nil` without a source, or if they are unknown.
    static var current: Reading? { source.withLock { $0 }?() }
}
