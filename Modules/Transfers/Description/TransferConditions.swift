/// The conditions of the network under which a transfer runs. A running transfer stops when they are no longer met,
/// and continues later.
public struct TransferConditions: Codable, Sendable, Hashable {
    /// Whether the transfer waits for a network.
    public var requiresConnectivity: Bool
    /// Whether the transfer runs on a metered network.
    public var allowsMetered: Bool

    /// Creates conditions.
    ///
    /// - Parameters:
    ///   - requiresConnectivity: Whether the transfer waits for a network. Otherwise an attempt without a network
    ///     fails and counts as a failure.
    ///   - allowsMetered: Whether the transfer runs on a metered network.
    public init(requiresConnectivity: Bool = true, allowsMetered: Bool = true) {
        self.requiresConnectivity = requiresConnectivity
        self.allowsMetered = allowsMetered
    }
}
