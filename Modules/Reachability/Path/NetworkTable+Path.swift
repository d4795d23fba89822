internal import CNetlink

extension NetworkTable {
    /// Returns the path that follows from the table.
    ///
    /// - Parameters:
    ///   - only: The name of the only interface that is considered; `nil` for all interfaces.
    ///   - dnsServers: The servers in the resolver's configuration.
    ///   - host: The configured host, whose routes decide.
    ///   - metered: The values of NetworkManager.
    ///   - kind: Classifies the link of an interface.
    package func path(
        only: String? = nil,
        dnsServers: [String] = [],
        host: HostPath? = nil,
        metered: MeteredTable = MeteredTable(),
        kind: (LinkRecord) -> NetworkInterface.Kind
    ) -> NetworkPath {
        let chosen = only.map { name in links.values.first { $0.name == name }?.index ?? -1 }
        let fates = [false, true].map { fate(isIPv6: $0, only: chosen) }
        let ways = fates.map { fate -> Int? in
            if case .leaves(let index) = fate { Int(index) } else { nil }
        }
        var status = NetworkPath.Status.satisfied
        var primary = ways.compactMap(\.self).first
        if let host {
            let open = host.routes.first(where: \.isReachable)
            primary = open?.interfaceIndex
            if host.routes.isEmpty, ways.contains(where: { $0 != nil }) {
                status = .unsatisfied(.hostNotFound)
            } else if open == nil {
                // Without a way out no name is found either; the way is what is missing.
                status = .unsatisfied(reason(fates, only: chosen))
            }
        } else if primary == nil {
            status = .unsatisfied(reason(fates, only: chosen))
        }
        return NetworkPath(
            status: status,
            interfaces: links.values.sorted { $0.index < $1.index }.map { link in
                NetworkInterface(
                    link,
                    kind: kind(link),
                    addresses: addresses(of: link.index),
                    metered: metered.metered(link.name)
                )
            },
            defaultRoutes: defaultRoutes.flatMap(DefaultRoute.all),
            dnsServers: dnsServers,
            supportsIPv4: ways[0] != nil,
            supportsIPv6: ways[1] != nil,
            primaryInterfaceIndex: primary,
            metered: metered.metered(leavingBy: primary.flatMap(Int32.init(exactly:)).flatMap { links[$0] }),
            host: host
        )
    }
}

extension NetworkInterface {
    init(_ link: LinkRecord, kind: Kind, addresses: [AddressRecord], metered: Metered) {
        index = Int(link.index)
        name = link.name
        self.kind = kind
        driver = link.driverKind
        state = State(kernel: link.operationalState)
        isUp = link.isUp
        // A driver that has been switched off may claim a carrier. Old kernels say nothing but IFF_RUNNING.
        hasCarrier = link.isUp && link.carrier ?? link.isRunning
        mtu = Int(link.mtu)
        hardwareAddress = link.hardwareAddress.map(Self.hexadecimal).joined(separator: ":")
        self.addresses = addresses.map(Address.init)
        self.metered = metered
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension NetworkInterface.State {
    /// From `IF_OPER_…`, whose values are RFC 2863's less one.
    init(kernel value: UInt8) {
        let states: [Self] = [.unknown, .notPresent, .down, .lowerLayerDown, .testing, .dormant, .up]
        self = states.indices.contains(Int(value)) ? states[Int(value)] : .unknown
    }
}

extension NetworkInterface.Address {
    init(_ record: AddressRecord) {
        address = record.address
        prefixLength = Int(record.prefixLength)
        scope = Scope(kernel: record.scope)
        flags = Flags(rawValue: record.flags)
    }
}

extension NetworkInterface.Address.Scope {
    /// From `RT_SCOPE_…`; what administrators number between global and site counts as global.
    init(kernel value: UInt8) {
        switch value {
        case 255: self = .nowhere
        case 254: self = .host
        case 253: self = .link
        case 200: self = .site
        default: self = .global
        }
    }
}

extension DefaultRoute {
    /// A route for each of its ways.
    static func all(_ record: RouteRecord) -> [DefaultRoute] {
        let hops = record.nextHops.map { (Int($0.index), $0.gateway) }
        let action = Action(kernel: record.type)
        // The kernel files a route that refuses under the loopback interface; it does not lead there.
        let ways: [(Int?, IPAddress?)] = action == .forward && !hops.isEmpty ? hops.map { ($0.0, $0.1) } : [(nil, nil)]
        return ways.map { index, gateway in
            DefaultRoute(
                version: record.isIPv6 ? .ipv6 : .ipv4,
                action: action,
                interfaceIndex: index,
                gateway: gateway,
                metric: Int(record.metric),
                table: Int(record.table)
            )
        }
    }
}

extension DefaultRoute.Action {
    /// From `RTN_…`.
    init(kernel value: UInt8) {
        switch Int32(value) {
        case Int32(RTN_UNICAST): self = .forward
        case Int32(RTN_BLACKHOLE): self = .blackhole
        case Int32(RTN_UNREACHABLE): self = .unreachable
        case Int32(RTN_PROHIBIT): self = .prohibit
        case Int32(RTN_THROW): self = .passOn
        default: self = .other
        }
    }
}
