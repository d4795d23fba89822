internal import CNetlink
internal import Glibc

/// A rule of policy routing, as `RTM_NEWRULE` tells of it.
package struct RuleRecord: Sendable, Hashable {
    package var isIPv6: Bool
    package var priority: UInt32 = 0
    package var table: UInt32
    /// `FR_ACT_…`.
    package var action: UInt8
    /// Whether it applies to traffic that nothing sets apart: no mark, any source, any user.
    package var appliesToOrdinaryTraffic: Bool
    /// Whether it passes over default routes, as VPNs let the main table do for what is near.
    package var suppressesDefaultRoutes = false
    /// The priority at which to go on, for `FR_ACT_GOTO`.
    package var target: UInt32?

    /// - Returns: `nil` for wrong lengths; `.some(nil)` for another family's rule.
    static func parse(_ payload: RawSpan) -> RuleRecord?? {
        guard let header = payload.value(at: 0, as: fib_rule_hdr.self) else { return nil }
        guard header.family == UInt8(AF_INET) || header.family == UInt8(AF_INET6) else { return .some(nil) }
        var record = RuleRecord(
            isIPv6: header.family == UInt8(AF_INET6),
            table: UInt32(header.table),
            action: header.action,
            appliesToOrdinaryTraffic: true
        )
        var mark: UInt32 = 0
        var isSelective = header.src_len > 0 || header.dst_len > 0 || header.tos != 0
        let fits = payload.forEachAttribute(from: MemoryLayout<fib_rule_hdr>.size) { type, value in
            switch type {
            case Int32(FRA_PRIORITY): record.priority = value.value(at: 0, as: UInt32.self) ?? 0
            case Int32(FRA_TABLE): record.table = value.value(at: 0, as: UInt32.self) ?? record.table
            case Int32(FRA_GOTO): record.target = value.value(at: 0, as: UInt32.self)
            case Int32(FRA_FWMARK): mark = value.value(at: 0, as: UInt32.self) ?? 0
            case Int32(FRA_SUPPRESS_PREFIXLEN):
                record.suppressesDefaultRoutes = (value.value(at: 0, as: Int32.self) ?? -1) >= 0
            case Int32(FRA_IIFNAME), Int32(FRA_OIFNAME), Int32(FRA_UID_RANGE), Int32(FRA_L3MDEV),
                Int32(FRA_IP_PROTO), Int32(FRA_SPORT_RANGE), Int32(FRA_DPORT_RANGE):
                isSelective = isSelective || value.array.contains { $0 != 0 }
            default: break
            }
        }
        guard fits else { return nil }
        // `not fwmark 51820`, as WireGuard's own tool writes it, means all traffic but the tunnel's packets.
        let matches = !isSelective && mark == 0
        record.appliesToOrdinaryTraffic = header.flags & UInt32(FIB_RULE_INVERT) != 0 ? !matches : matches
        return record
    }
}
