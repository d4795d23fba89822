/// A network interface of the machine, or of the container.
public struct NetworkInterface: Sendable, Hashable {
    /// The kernel's number for it.
    public let index: Int
    /// Its name, such as "eth0". It can change; the index does not.
    public let name: String
    /// What sort of link it is.
    public let kind: Kind
    /// The kernel's word for what drives it, such as "veth", "vlan" or "wireguard". `nil` for most hardware.
    public let driver: String?
    /// The state that the kernel reports.
    public let state: State
    /// Whether it has been switched on.
    public let isUp: Bool
    /// Whether a cable, an access point or the like is there.
    public let hasCarrier: Bool
    /// The largest packet that it carries, in bytes.
    public let mtu: Int
    /// Its hardware address, such as "02:fc:00:00:00:01"; empty where it has none.
    public let hardwareAddress: String
    /// Its addresses.
    public let addresses: [Address]
    /// Whether its traffic costs money or is limited, where NetworkManager says so.
    public let metered: Metered

    /// What sort of link an interface is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A cable, or what behaves like one: a VLAN or a bond of cables too.
        case ethernet
        /// A wireless network (IEEE 802.11).
        case wifi
        /// A mobile network.
        case cellular
        /// The machine itself.
        case loopback
        /// A switch inside the machine.
        case bridge
        /// A VPN or another tunnel.
        case tunnel
        /// One end of a cable between namespaces: what a container sees as its network.
        case virtualEthernet
        /// Something else, such as a dummy interface.
        case other

        /// ``ethernet``, under the name that it has in Apple's Network framework.
        public static let wiredEthernet = Kind.ethernet
    }

    /// The state of an interface (RFC 2863 §3.1.13).
    public enum State: String, Sendable, Hashable {
        /// The driver does not say. Loopback and tunnels work in this state.
        case unknown
        /// Hardware is missing.
        case notPresent
        /// It cannot carry packets.
        case down
        /// The interface that this one lies upon is down.
        case lowerLayerDown
        /// It is being tested.
        case testing
        /// It waits for something, such as a login.
        case dormant
        /// It can carry packets.
        case up
    }

    /// An address of an interface.
    public struct Address: Sendable, Hashable {
        /// The address.
        public let address: IPAddress
        /// How many leading bits name the network.
        public let prefixLength: Int
        /// How far it is valid.
        public let scope: Scope
        /// What else is true of it.
        public let flags: Flags

        /// How far an address is valid.
        public enum Scope: String, Sendable, Hashable {
            /// Everywhere that routes lead, private networks among it.
            case global
            /// Within a site.
            case site
            /// On its link.
            case link
            /// Within the machine.
            case host
            /// Nowhere.
            case nowhere
        }

        /// Properties of an address.
        public struct Flags: OptionSet, Sendable, Hashable {
            /// The bits, as the kernel numbers them (`IFA_F_…`).
            public let rawValue: UInt32

            /// Flags from the kernel's bits.
            public init(rawValue: UInt32) { self.rawValue = rawValue }

            /// A temporary address for privacy (RFC 8981); of IPv4, a further address of its network.
            public static let temporary = Flags(rawValue: 0x01)
            /// Another machine has the same address (RFC 4862 §5.4).
            public static let duplicate = Flags(rawValue: 0x08)
            /// New connections should use another address.
            public static let deprecated = Flags(rawValue: 0x20)
            /// Not yet known to be unique, so not yet in use. The kernel announces such an address only once it is, so
            /// a monitor may miss this stage.
            public static let tentative = Flags(rawValue: 0x40)
            /// It stays until it is removed.
            public static let permanent = Flags(rawValue: 0x80)
        }

        /// Whether packets can leave for far places from it.
        var isUsable: Bool {
            (scope == .global || scope == .site) && flags.isDisjoint(with: [.tentative, .duplicate])
        }
    }
}
