internal import CNetlink
internal import Glibc

/// The table, the sockets that fill it, and the path that follows from it. One thread uses it at a time.
struct PathReader: ~Copyable {
    private var events: NetlinkSocket
    private var requests: NetlinkSocket
    private var table = NetworkTable()
    private var mustReadAll = true
    private let interface: String?
    private var classifier = LinkClassifier()
    private var kinds: [LinkIdentity: NetworkInterface.Kind] = [:]

    /// Cached kinds of interfaces: sysfs is read once for each interface, not for each change.
    private struct LinkIdentity: Hashable {
        let index: Int32
        let name: String
        let hardwareType: UInt16
        let driverKind: String?
    }

    /// Opens the sockets. Events from here on are not missed.
    init(_ configuration: NetworkPathMonitor.Configuration) throws(NetworkPathError) {
        let events = try NetlinkSocket.opened(groups: Self.groups, in: configuration.namespace)
        let requests = try NetlinkSocket.opened(in: configuration.namespace)
        self.events = events
        self.requests = requests
        interface = configuration.interface
        if configuration.namespace != nil { classifier.sysfs = nil }
        if let size = configuration.receiveBuffer { self.events.setReceiveBuffer(size) }
    }

    private static let groups =
        UInt32(RTMGRP_LINK) | UInt32(RTMGRP_IPV4_IFADDR) | UInt32(RTMGRP_IPV6_IFADDR) | UInt32(RTMGRP_IPV4_ROUTE)
        | UInt32(RTMGRP_IPV6_ROUTE) | UInt32(RTMGRP_IPV4_RULE) | 1 << (UInt32(RTNLGRP_IPV6_RULE.rawValue) - 1)

    /// The descriptor for `poll`.
    var descriptor: Int32 { events.descriptor }

    /// Reads the pending events.
    ///
    /// - Parameter limit: The most datagrams to read, so that endless events cannot delay a report.
    mutating func takeEvents(limit: Int = 10_000) throws(NetworkPathError) {
        for _ in 0..<limit {
            switch try events.receive(waits: false) {
            case .empty: return
            case .lost: mustReadAll = true
            case .messages(let messages):
                // The tables will be read again, so events need not be applied.
                for message in messages where !mustReadAll {
                    if !table.apply(message.content) { mustReadAll = true }
                }
            }
        }
    }

    /// Reads the tables that events do not describe.
    ///
    /// - Returns: Whether the result is consistent; if not, call it again soon.
    mutating func refresh() throws(NetworkPathError) -> Bool {
        var isConsistent = true
        if mustReadAll {
            // Pending events are older than this dump; applying them in order ends in the same state.
            mustReadAll = false
            isConsistent = try readLinks() && isConsistent
            isConsistent = try readAddresses() && isConsistent
        }
        if table.routesAreStale { isConsistent = try readRoutes() && isConsistent }
        mustReadAll = mustReadAll || !isConsistent
        return isConsistent
    }

    private mutating func readLinks() throws(NetworkPathError) -> Bool {
        var body = [UInt8](bytesOf: ifinfomsg())
        body.appendAttribute(Int32(IFLA_EXT_MASK), [UInt8](bytesOf: UInt32(AIRFRAME_RTEXT_FILTER_SKIP_STATS)))
        var table = table
        defer { self.table = table }
        return try requests.dump(Int32(RTM_GETLINK), body) {
            table.forgetLinks()
        } each: { content in
            if case .link = content { _ = table.apply(content) }
        }
    }

    private mutating func readAddresses() throws(NetworkPathError) -> Bool {
        var table = table
        defer { self.table = table }
        return try requests.dump(Int32(RTM_GETADDR), [UInt8](bytesOf: ifaddrmsg())) {
            table.forgetAddresses()
        } each: { content in
            if case .address = content { _ = table.apply(content) }
        }
    }

    private mutating func readRoutes() throws(NetworkPathError) -> Bool {
        var routes: [RouteRecord] = []
        var rules: [RuleRecord] = []
        var isConsistent = try requests.dump(Int32(RTM_GETROUTE), [UInt8](bytesOf: rtmsg())) {
            routes = []
        } each: { content in
            if case .route(let route) = content, route.isDefault { routes.append(route) }
        }
        do {
            isConsistent =
                try requests.dump(Int32(RTM_GETRULE), [UInt8](bytesOf: fib_rule_hdr())) {
                    rules = []
                } each: { content in
                    if case .rule(let rule) = content { rules.append(rule) }
                } && isConsistent
        } catch {
            // A kernel without policy routing has no rules to list.
            guard error.code == EOPNOTSUPP || error.code == EAFNOSUPPORT else { throw error }
        }
        table.replace(routes: routes, rules: rules)
        return isConsistent
    }

    /// The path from the table, with the host's routes from the kernel.
    ///
    /// - Parameters:
    ///   - host: The name and its addresses.
    ///   - metered: The values of NetworkManager.
    mutating func path(
        host: (name: String, addresses: [IPAddress])?,
        metered: MeteredTable
    ) throws(NetworkPathError) -> NetworkPath {
        var hostPath: HostPath?
        if let host {
            let chosen = interface.map { name in table.links.values.first { $0.name == name }?.index ?? .max }
            var routes: [HostRoute] = []
            for address in host.addresses {
                routes.append(
                    try RouteLookup.route(to: address, through: chosen, links: table.links, &requests)
                )
            }
            hostPath = HostPath(name: host.name, routes: routes)
        }
        let servers = SystemFile.read(ResolverConfiguration.path).map(ResolverConfiguration.nameServers) ?? []
        classify()
        let kinds = kinds
        return table.path(only: interface, dnsServers: servers, host: hostPath, metered: metered) {
            kinds[Self.identity($0)] ?? .other
        }
    }

    private mutating func classify() {
        var current: [LinkIdentity: NetworkInterface.Kind] = [:]
        for link in table.links.values {
            let identity = Self.identity(link)
            current[identity] = kinds[identity] ?? classifier.kind(of: link, descriptor: requests.descriptor)
        }
        kinds = current
    }

    private static func identity(_ link: LinkRecord) -> LinkIdentity {
        LinkIdentity(
            index: link.index,
            name: link.name,
            hardwareType: link.hardwareType,
            driverKind: link.driverKind
        )
    }
}
