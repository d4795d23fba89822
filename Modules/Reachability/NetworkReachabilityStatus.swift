extension NetworkReachabilityManager {
    /// Whether the network, or a host, can be reached.
    public enum NetworkReachabilityStatus: Equatable, Sendable {
        /// Unknown: the kernel did not answer.
        case unknown
        /// Not reachable.
        case notReachable
        /// Reachable.
        case reachable(ConnectionType)

        /// The kind of network.
        public enum ConnectionType: Sendable {
            /// Ethernet, a wireless network, or anything but a mobile network.
            case ethernetOrWiFi
            /// A mobile network.
            case cellular
        }

        init(_ path: NetworkPath) {
            let type: ConnectionType = path.primaryInterface?.kind == .cellular ? .cellular : .ethernetOrWiFi
            self = path.isSatisfied ? .reachable(type) : .notReachable
        }
    }
}

/// The properties of the route to the network or to a host, with the names and values of Apple's SystemConfiguration.
/// Linux has no connections on demand, so their flags do not exist here.
public struct NetworkReachabilityFlags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The target is reached by a point-to-point tunnel, such as PPP or a VPN.
    public static let transientConnection = NetworkReachabilityFlags(rawValue: 1 << 0)
    /// The target is reachable.
    public static let reachable = NetworkReachabilityFlags(rawValue: 1 << 1)
    /// The host is this machine.
    public static let isLocalAddress = NetworkReachabilityFlags(rawValue: 1 << 16)
    /// The host is on the link: no router lies between.
    public static let isDirect = NetworkReachabilityFlags(rawValue: 1 << 17)
    /// The target is reached by a mobile network.
    public static let isWWAN = NetworkReachabilityFlags(rawValue: 1 << 18)

    init(_ path: NetworkPath) {
        self = []
        guard path.isSatisfied else { return }
        insert(.reachable)
        if path.primaryInterface?.kind == .tunnel { insert(.transientConnection) }
        if path.primaryInterface?.kind == .cellular { insert(.isWWAN) }
        guard let route = path.host?.routes.first(where: \.isReachable) else { return }
        if route.isLocal { insert(.isLocalAddress) }
        if route.gateway == nil { insert(.isDirect) }
    }
}
