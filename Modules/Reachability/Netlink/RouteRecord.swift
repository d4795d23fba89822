internal import CNetlink
internal import Glibc

/// A route, as `RTM_NEWROUTE` tells of it.
package struct RouteRecord: Sendable, Hashable {
    /// One way that a route offers; several where it spreads its traffic.
    package struct NextHop: Sendable, Hashable {
        package var index: Int32
        package var gateway: IPAddress?
        /// `RTNH_F_…`.
        package var flags: UInt32

        var isDead: Bool { flags & UInt32(RTNH_F_DEAD) != 0 }
        var lacksCarrier: Bool { flags & UInt32(RTNH_F_LINKDOWN) != 0 }
    }

    package var isIPv6: Bool
    package var table: UInt32
    package var prefixLength: UInt8
    package var sourcePrefixLength: UInt8
    /// `RTN_…`.
    package var type: UInt8
    package var metric: UInt32 = 0
    package var nextHops: [NextHop] = []
    /// Whether it is an answer's copy of a route and no route of a table.
    package var isCloned: Bool

    /// Whether any destination without a better route goes by it.
    var isDefault: Bool { prefixLength == 0 && sourcePrefixLength == 0 && !isCloned }

    /// - Returns: `nil` for wrong lengths; `.some(nil)` for another family's route.
    static func parse(_ payload: RawSpan) -> RouteRecord?? {
        guard let header = payload.value(at: 0, as: rtmsg.self) else { return nil }
        guard header.rtm_family == UInt8(AF_INET) || header.rtm_family == UInt8(AF_INET6) else { return .some(nil) }
        var record = RouteRecord(
            isIPv6: header.rtm_family == UInt8(AF_INET6),
            table: UInt32(header.rtm_table),
            prefixLength: header.rtm_dst_len,
            sourcePrefixLength: header.rtm_src_len,
            type: header.rtm_type,
            isCloned: header.rtm_flags & UInt32(RTM_F_CLONED) != 0
        )
        var index: Int32?
        var gateway: IPAddress?
        var multipath: [NextHop]?
        let fits = payload.forEachAttribute(from: MemoryLayout<rtmsg>.size) { type, value in
            switch type {
            case Int32(RTA_OIF.rawValue): index = value.value(at: 0, as: Int32.self)
            case Int32(RTA_PRIORITY.rawValue): record.metric = value.value(at: 0, as: UInt32.self) ?? 0
            case Int32(RTA_TABLE.rawValue): record.table = value.value(at: 0, as: UInt32.self) ?? record.table
            case Int32(RTA_GATEWAY.rawValue), Int32(RTA_VIA.rawValue):
                gateway = Self.gateway(type, value, family: header.rtm_family)
            case Int32(RTA_MULTIPATH.rawValue): multipath = Self.multipath(value, family: header.rtm_family)
            default: break
            }
        }
        guard fits else { return nil }
        let single = index.map { [NextHop(index: $0, gateway: gateway, flags: header.rtm_flags)] }
        record.nextHops = multipath ?? single ?? []
        return record
    }

    /// A gateway of the route's family, or with its own family before it (RFC 5549).
    private static func gateway(_ type: Int32, _ value: RawSpan, family: UInt8) -> IPAddress? {
        guard type == Int32(RTA_VIA.rawValue) else { return IPAddress(family: family, value) }
        guard let family = value.value(at: 0, as: UInt16.self).flatMap(UInt8.init(exactly:)) else { return nil }
        return IPAddress(family: family, value.extracting(2..<value.byteCount))
    }

    /// The ways of a multipath route, up to the first whose length lies.
    private static func multipath(_ value: RawSpan, family: UInt8) -> [NextHop] {
        var hops: [NextHop] = []
        var offset = 0
        while let header = value.value(at: offset, as: rtnexthop.self) {
            let length = Int(header.rtnh_len)
            guard length >= MemoryLayout<rtnexthop>.size, length <= value.byteCount - offset else { break }
            var gateway: IPAddress?
            let attributes = value.extracting(offset + MemoryLayout<rtnexthop>.size..<offset + length)
            _ = attributes.forEachAttribute(from: 0) { type, value in
                guard type == Int32(RTA_GATEWAY.rawValue) || type == Int32(RTA_VIA.rawValue) else { return }
                gateway = Self.gateway(type, value, family: family)
            }
            hops.append(NextHop(index: header.rtnh_ifindex, gateway: gateway, flags: UInt32(header.rtnh_flags)))
            offset += (length + 3) & ~3
        }
        return hops
    }
}
