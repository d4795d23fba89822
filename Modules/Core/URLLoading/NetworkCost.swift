internal import Synchronization

/// Where metrics learn whether the network costs money. Core knows no networks: the umbrella sets the source, which
/// asks AirframeReachability.
package enum NetworkCost {
    /// What is known of the network that the machine uses.
    package struct Reading: Sendable {
        /// Whether traffic is likely to cost money.
        package let isExpensive: Bool
        /// Whether the user wants little traffic.
        package let isConstrained: Bool

        /// Describes a network.
        package init(isExpensive: Bool, isConstrained: Bool) {
            self.isExpensive = isExpensive
            self.isConstrained = isConstrained
        }
    }

    /// Asked when metrics are asked.
    package typealias Source = @Sendable () -> Reading?

    // Guards the source.
    private static let source = Mutex<Source?>(nil)

    /// Sets the source.
    package static func setSource(_ read: @escaping Source) { source.withLock { $0 = read } }

    /// What is known now; `nil` without a source, or where it cannot tell.
    static var current: Reading? { source.withLock { $0 }?() }
}
