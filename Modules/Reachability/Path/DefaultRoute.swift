/// A default route: for all destinations without their own route.
public struct DefaultRoute: Sendable, Hashable {
    /// The action of the kernel for a packet on the route.
    public enum Action: String, Sendable, Hashable {
        /// The packet is forwarded.
        case forward
        /// The packet is dropped silently.
        case blackhole
        /// The sender gets "host unreachable".
        case unreachable
        /// The sender gets "prohibited".
        case prohibit
        /// The lookup continues in the next table.
        case passOn
        /// Something else.
        case other
    }

    /// The protocol of the route.
    public let version: IPAddress.Version
    /// The action of the kernel.
    public let action: Action
    /// The index of the interface; `nil` for routes without one.
    public let interfaceIndex: Int?
    /// The router; `nil` when everything is directly on the link.
    public let gateway: IPAddress?
    /// The metric: the route with the lowest one of its table is used.
    public let metric: Int
    /// The number of its table; 254 is the main one.
    public let table: Int
}
