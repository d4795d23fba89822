internal import AirframeReachability

/// The text form of a path.
enum Report {
    /// One line, for logs.
    static func line(_ path: NetworkPath) -> String {
        var words = [path.reason.map { "unsatisfied (\($0.rawValue))" } ?? "satisfied"]
        if let interface = path.primaryInterface { words.append("\(interface.name) \(interface.kind.rawValue)") }
        if let gateway = path.gateway { words.append("via \(gateway)") }
        words.append("IPv4 \(path.supportsIPv4 ? "yes" : "no")")
        words.append("IPv6 \(path.supportsIPv6 ? "yes" : "no")")
        if path.isExpensive { words.append(path.isConstrained ? "expensive, constrained" : "expensive") }
        if let host = path.host {
            let routes = host.routes.map { "\($0.address) \($0.isReachable ? "reachable" : "unreachable")" }
            words.append("\(host.name): \(routes.isEmpty ? "not found" : routes.joined(separator: ", "))")
        }
        return words.joined(separator: ", ")
    }

    /// All properties, a paragraph for each topic.
    static func full(_ path: NetworkPath) -> String {
        var text = line(path) + "\n\n"
        for interface in path.interfaces {
            let state = interface.isUp ? interface.hasCarrier ? "up" : "no carrier" : "off"
            let kind = interface.kind.rawValue + (interface.driver.map { " (\($0))" } ?? "")
            text += "\(pad(interface.name, 16))\(pad(kind, 28))\(pad(state, 12))MTU \(interface.mtu)"
            text += interface.metered == .unknown ? "\n" : "  metered: \(interface.metered.rawValue)\n"
            for address in interface.addresses {
                text += "    \(address.address)/\(address.prefixLength) \(address.scope.rawValue)"
                text += address.flags.names.map { " " + $0 }.joined() + "\n"
            }
        }
        if !path.defaultRoutes.isEmpty { text += "\n" }
        for route in path.defaultRoutes {
            let name = path.interfaces.first { $0.index == route.interfaceIndex }?.name
            text += "default \(route.version == .ipv4 ? "IPv4" : "IPv6") \(name ?? route.action.rawValue)"
            text += route.gateway.map { " via \($0)" } ?? ""
            text += " metric \(route.metric)\(route.table == 254 ? "" : " table \(route.table)")\n"
        }
        if !path.dnsServers.isEmpty { text += "\nDNS \(path.dnsServers.joined(separator: ", "))\n" }
        return text
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension NetworkPath {
    /// The router that packets go to first.
    var gateway: IPAddress? {
        if let host { return host.routes.first(where: \.isReachable)?.gateway }
        return defaultRoutes.first { $0.interfaceIndex != nil && $0.interfaceIndex == primaryInterfaceIndex }?.gateway
    }
}

extension NetworkInterface.Address.Flags {
    var names: [String] {
        let all: [(Self, String)] = [
            (.temporary, "temporary"), (.duplicate, "duplicate"), (.deprecated, "deprecated"),
            (.tentative, "tentative"), (.permanent, "permanent"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
