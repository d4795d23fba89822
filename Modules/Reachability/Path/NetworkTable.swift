internal import CNetlink
internal import Glibc

/// The kernel's reports, combined: a value without I/O, so that tests and a fuzzer can fill it.
///
/// Links and addresses are kept up to date event by event. Routes and rules are not: the kernel drops and replaces
/// routes without a word (IPv4's go silently when their interface goes down), so an event only says that they must be
/// read again.
package struct NetworkTable: Sendable, Hashable {
    private(set) var links: [Int32: LinkRecord] = [:]
    private var addresses: [AddressRecord.Key: AddressRecord] = [:]
    private(set) var defaultRoutes: [RouteRecord] = []
    private var rules: [RuleRecord] = []
    /// Whether routes and rules must be read again.
    package private(set) var routesAreStale = true

    /// A table that knows nothing yet.
    package init() {}

    /// Takes an event, or a part of a dump of links or addresses.
    ///
    /// - Returns: `false` when the table can no longer be right and everything must be read again.
    package mutating func apply(_ content: NetlinkMessage.Content) -> Bool {
        switch content {
        case .link(let record): links[record.index] = record
        case .linkRemoved(let index):
            links[index] = nil
            addresses = addresses.filter { $0.key.index != index }
        case .address(let record): addresses[record.key] = record
        case .addressRemoved(let record): addresses[record.key] = nil
        case .route(let record), .routeRemoved(let record):
            // The kernel also sends the answers to lookups of other programs.
            if record.isCloned { return true }
        case .rule, .ruleRemoved: break
        case .overrun: return false
        case .done, .error, .other: return true
        }
        routesAreStale = true
        return true
    }

    /// Forgets links and addresses, before they are read again.
    mutating func forgetLinks() { links = [:] }

    /// Forgets addresses, before they are read again.
    mutating func forgetAddresses() { addresses = [:] }

    /// Takes the default routes and the rules as they now are.
    mutating func replace(routes: [RouteRecord], rules: [RuleRecord]) {
        // The kernel keeps a route of last resort for IPv6 that refuses everything; it is not a route that anyone has
        // set.
        defaultRoutes = routes.filter { $0.isDefault && !($0.metric == .max && $0.type != UInt8(RTN_UNICAST)) }
            .enumerated()
            .sorted { left, right in
                if left.element.isIPv6 != right.element.isIPv6 { return right.element.isIPv6 }
                return (left.element.metric, left.offset) < (right.element.metric, right.offset)
            }
            .map(\.element)
        self.rules = rules.sorted { $0.priority < $1.priority }
        routesAreStale = false
    }

    /// Takes the default routes and the rules among `dump`.
    package mutating func replace(dump: [NetlinkMessage.Content]) {
        replace(
            routes: dump.compactMap { if case .route(let route) = $0, route.isDefault { route } else { nil } },
            rules: dump.compactMap { if case .rule(let rule) = $0 { rule } else { nil } }
        )
    }

    /// The addresses of an interface, in an order that does not depend on when they came.
    func addresses(of index: Int32) -> [AddressRecord] {
        addresses.values.filter { $0.index == index }.sorted { left, right in
            if left.address.version != right.address.version { return left.address.version == .ipv4 }
            let (first, second) = (left.address.bytes, right.address.bytes)
            return first == second ? left.prefixLength < right.prefixLength : first.lexicographicallyPrecedes(second)
        }
    }
}

extension NetworkTable {
    /// What the kernel does with a packet to a distant address.
    enum PacketFate: Hashable {
        case leaves(interface: Int32)
        case fails(NetworkPath.Reason)
    }

    /// Follows a packet of one protocol through the rules to a default route, as the kernel would.
    ///
    /// - Parameter only: The index of the one interface that counts; `nil` for all.
    func fate(isIPv6: Bool, only: Int32?) -> PacketFate {
        var continueAt: UInt32 = 0
        for rule in effectiveRules(isIPv6: isIPv6) where rule.priority >= continueAt && rule.appliesToOrdinaryTraffic {
            switch Int32(rule.action) {
            case Int32(FR_ACT_GOTO): continueAt = max(continueAt, rule.target ?? 0)
            case Int32(FR_ACT_BLACKHOLE), Int32(FR_ACT_UNREACHABLE), Int32(FR_ACT_PROHIBIT):
                return .fails(.routeRefuses)
            case Int32(FR_ACT_TO_TBL) where !rule.suppressesDefaultRoutes:
                if let fate = fate(inTable: rule.table, isIPv6: isIPv6, only: only) { return fate }
            default: break
            }
        }
        return .fails(.noRoute)
    }

    /// A kernel without policy routing has no rules; it looks in the main table.
    private func effectiveRules(isIPv6: Bool) -> [RuleRecord] {
        let own = rules.filter { $0.isIPv6 == isIPv6 }
        guard own.isEmpty else { return own }
        let action = UInt8(FR_ACT_TO_TBL)
        return [RT_TABLE_MAIN, RT_TABLE_DEFAULT].map { table in
            RuleRecord(isIPv6: isIPv6, table: UInt32(table.rawValue), action: action, appliesToOrdinaryTraffic: true)
        }
    }

    /// - Returns: `nil` when the table has no default route that is alive, so that the next rule has its turn.
    private func fate(inTable table: UInt32, isIPv6: Bool, only: Int32?) -> PacketFate? {
        for route in defaultRoutes where route.table == table && route.isIPv6 == isIPv6 {
            switch Int32(route.type) {
            case Int32(RTN_UNICAST):
                let hops = route.nextHops.filter { !$0.isDead && (only == nil || $0.index == only) }
                guard !hops.isEmpty else { continue }
                let fates = hops.map { fate(of: $0, isIPv6: isIPv6) }
                // A route that spreads its traffic works as long as one of its ways does.
                return fates.first { if case .leaves = $0 { true } else { false } } ?? fates[0]
            case Int32(RTN_BLACKHOLE), Int32(RTN_UNREACHABLE), Int32(RTN_PROHIBIT):
                if only == nil { return .fails(.routeRefuses) }
            case Int32(RTN_THROW): return nil
            default: continue
            }
        }
        return nil
    }

    private func fate(of hop: RouteRecord.NextHop, isIPv6: Bool) -> PacketFate {
        guard let link = links[hop.index], link.isUp else { return .fails(.noInterface) }
        guard link.isRunning, !hop.lacksCarrier else { return .fails(.noCarrier) }
        guard hasUsableAddress(isIPv6: isIPv6) else { return .fails(.noAddress) }
        return .leaves(interface: hop.index)
    }

    /// Whether any interface has an address to send from: the kernel takes another interface's when the own has none.
    private func hasUsableAddress(isIPv6: Bool) -> Bool {
        addresses.values.contains { record in
            (record.address.version == .ipv6) == isIPv6 && links[record.index]?.isUp == true
                && NetworkInterface.Address(record).isUsable
        }
    }

    /// Why nothing leaves, in the words that help most: what is missing at the lowest layer.
    func reason(_ fates: [PacketFate], only: Int32?) -> NetworkPath.Reason {
        let reasons = fates.compactMap { fate -> NetworkPath.Reason? in
            if case .fails(let reason) = fate { reason } else { nil }
        }
        for specific in [NetworkPath.Reason.routeRefuses, .noAddress, .noCarrier] where reasons.contains(specific) {
            return specific
        }
        let candidates = links.values.filter { only == nil ? !$0.isLoopback : $0.index == only }
        guard candidates.contains(where: \.isUp) else { return .noInterface }
        guard candidates.contains(where: \.isRunning) else { return .noCarrier }
        let isAddressed = addresses.values.contains { record in
            candidates.contains { $0.index == record.index && $0.isRunning }
                && NetworkInterface.Address(record).isUsable
        }
        return isAddressed ? .noRoute : .noAddress
    }
}
