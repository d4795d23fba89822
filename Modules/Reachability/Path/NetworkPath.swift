/// What the machine, or the container, can reach at one moment, and by which way.
public struct NetworkPath: Sendable, Hashable {
    /// Whether packets can leave.
    public enum Status: Sendable, Hashable {
        /// They can.
        case satisfied
        /// They cannot, for the reason given.
        case unsatisfied(Reason)
    }

    /// Why packets cannot leave.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No interface but loopback is switched on, or the one that was asked for is not there.
        case noInterface = "no-interface"
        /// The interface has no carrier: a cable is out, or no access point is near.
        case noCarrier = "no-carrier"
        /// No interface has an address that is valid beyond its link.
        case noAddress = "no-address"
        /// No route leads out.
        case noRoute = "no-route"
        /// The route that applies drops or refuses packets.
        case routeRefuses = "route-refuses"
        /// The host's name has no address.
        case hostNotFound = "host-not-found"
    }

    /// Whether packets can leave: to the host that was asked for, otherwise by a default route.
    public let status: Status
    /// All interfaces, by index.
    public let interfaces: [NetworkInterface]
    /// All default routes, in the order in which the kernel prefers them within each protocol and table.
    public let defaultRoutes: [DefaultRoute]
    /// The servers that `/etc/resolv.conf` names, in its order, with the zone where one is given.
    public let dnsServers: [String]
    /// Whether packets can leave by IPv4.
    public let supportsIPv4: Bool
    /// Whether packets can leave by IPv6.
    public let supportsIPv6: Bool
    /// The index of the interface that packets leave by; IPv4's where both protocols can.
    public let primaryInterfaceIndex: Int?
    /// Whether the way out is metered: what NetworkManager says of the primary interface, or, where it does not know
    /// that one, of its own connection to the Internet.
    public let metered: NetworkInterface.Metered
    /// The host that was asked for; `nil` when none was.
    public let host: HostPath?

    /// Whether packets can leave.
    public var isSatisfied: Bool { status == .satisfied }

    /// Why packets cannot leave; `nil` when they can.
    public var reason: Reason? {
        if case .unsatisfied(let reason) = status { reason } else { nil }
    }

    /// The interface that packets leave by.
    public var primaryInterface: NetworkInterface? {
        interfaces.first { $0.index == primaryInterfaceIndex }
    }

    /// Whether traffic is likely to cost money: the way out is metered, as far as NetworkManager knows or guesses, or,
    /// where it has no opinion, a mobile network.
    public var isExpensive: Bool {
        switch metered {
        case .yes, .guessYes: true
        case .no: false
        case .unknown, .guessNo: primaryInterface?.kind == .cellular
        }
    }

    /// Whether the user wants little traffic: the connection's settings, and not a guess, call it metered.
    public var isConstrained: Bool { metered == .yes }
}

/// The ways to one host.
public struct HostPath: Sendable, Hashable {
    /// The name, or the address, that was asked for.
    public let name: String
    /// The kernel's answer for each of its addresses; empty when the name was not found.
    public let routes: [HostRoute]
}

/// The kernel's answer to the question how it would send a packet to an address.
public struct HostRoute: Sendable, Hashable {
    /// The address.
    public let address: IPAddress
    /// Whether a packet would leave.
    public let isReachable: Bool
    /// The index of the interface that it would leave by.
    public let interfaceIndex: Int?
    /// The router that it would go to first; `nil` when the address is on the link.
    public let gateway: IPAddress?
    /// Whether the address is this machine's own.
    public let isLocal: Bool
}
