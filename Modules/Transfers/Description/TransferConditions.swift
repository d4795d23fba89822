/// What the network must be like for a transfer to run. One that runs is stopped when that ends, and continues later.
public struct TransferConditions: Codable, Sendable, Hashable {
    /// Whether the transfer waits for a network.
    public var requiresConnectivity: Bool
    /// Whether the transfer runs on a metered network.
    public var allowsMetered: Bool

    /// Names conditions.
    ///
    /// - Parameters:
    ///   - requiresConnectivity: Whether the transfer waits for a network. Without it, an attempt without a network
    ///     fails, and counts.
    ///   - allowsMetered: Whether the transfer runs on a metered network.
    public init(requiresConnectivity: Bool = true, allowsMetered: Bool = true) {
        self.requiresConnectivity = requiresConnectivity
        self.allowsMetered = allowsMetered
    }
}
