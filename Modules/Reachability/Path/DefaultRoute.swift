/// A way to all destinations that have no route of their own.
public struct DefaultRoute: Sendable, Hashable {
    /// What the kernel does with a packet that takes the route.
    public enum Action: String, Sendable, Hashable {
        /// It sends it on.
        case forward
        /// It drops it in silence.
        case blackhole
        /// It answers that the host is unreachable.
        case unreachable
        /// It answers that this is prohibited.
        case prohibit
        /// It looks in the next table.
        case passOn
        /// Something else.
        case other
    }

    /// The protocol whose packets take it.
    public let version: IPAddress.Version
    /// What happens to them.
    public let action: Action
    /// The index of the interface that they leave by; `nil` for routes that lead nowhere.
    public let interfaceIndex: Int?
    /// The router; `nil` when everything is directly on the link.
    public let gateway: IPAddress?
    /// Its place among the routes of its table: the lowest wins.
    public let metric: Int
    /// The number of its table; 254 is the main one.
    public let table: Int
}
