extension NetworkReachabilityManager {
    /// Whether the network, or a host, can be reached.
    public enum NetworkReachabilityStatus: Equatable, Sendable {
        /// It is not known: the kernel could not be asked.
        case unknown
        /// It cannot.
        case notReachable
        /// It can.
        case reachable(ConnectionType)

        /// By what sort of network it is reached.
        public enum ConnectionType: Sendable {
            /// A cable, a wireless network, or anything else but a mobile network.
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

/// What is true of the way to the network or to a host, under the names and values of Apple's SystemConfiguration.
/// Linux knows no connections on demand, so the flags for these do not exist here.
public struct NetworkReachabilityFlags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32

    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It can be reached by a point-to-point tunnel, such as PPP or a VPN.
    public static let transientConnection = NetworkReachabilityFlags(rawValue: 1 << 0)
    /// It can be reached.
    public static let reachable = NetworkReachabilityFlags(rawValue: 1 << 1)
    /// The host is this machine.
    public static let isLocalAddress = NetworkReachabilityFlags(rawValue: 1 << 16)
    /// The host is on the link: no router lies between.
    public static let isDirect = NetworkReachabilityFlags(rawValue: 1 << 17)
    /// It is reached by a mobile network.
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
