import CNetlink
import Glibc

/// Writes netlink messages, right ones and wrong ones.
enum MessageBuilder {
    static func bytes(of value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    static func attribute(_ type: Int, _ value: [UInt8]) -> [UInt8] {
        bytes(of: rtattr(rta_len: UInt16(4 + value.count), rta_type: UInt16(type))) + value
            + Array(repeating: 0, count: (4 - value.count % 4) % 4)
    }

    static func message(_ type: Int, _ payload: [UInt8], flags: UInt16 = 0, sequence: UInt32 = 0) -> [UInt8] {
        bytes(
            of: nlmsghdr(
                nlmsg_len: UInt32(16 + payload.count),
                nlmsg_type: UInt16(type),
                nlmsg_flags: flags,
                nlmsg_seq: sequence,
                nlmsg_pid: 0
            )) + payload + Array(repeating: 0, count: (4 - payload.count % 4) % 4)
    }

    static func link(_ index: Int32, _ name: String, flags: UInt32 = 0x1_0043, family: UInt8 = 0) -> [UInt8] {
        var header = ifinfomsg()
        header.ifi_family = family
        header.ifi_index = index
        header.ifi_type = 1
        header.ifi_flags = flags
        return message(
            Int(RTM_NEWLINK),
            bytes(of: header) + attribute(Int(IFLA_IFNAME), Array(name.utf8) + [0])
                + attribute(Int(IFLA_MTU), bytes(of: UInt32(1500)))
                + attribute(Int(IFLA_LINKINFO), attribute(Int(IFLA_INFO_KIND), Array("veth".utf8) + [0])))
    }

    static func address(_ index: UInt32, _ address: [UInt8], prefixLength: UInt8 = 24, flags: UInt32 = 0x80) -> [UInt8]
    {
        var header = ifaddrmsg()
        header.ifa_family = UInt8(address.count == 4 ? AF_INET : AF_INET6)
        header.ifa_prefixlen = prefixLength
        header.ifa_index = index
        return message(
            Int(RTM_NEWADDR),
            bytes(of: header) + attribute(Int(IFA_ADDRESS), address) + attribute(Int(IFA_FLAGS), bytes(of: flags)))
    }

    static func route(
        through index: Int32,
        via gateway: [UInt8],
        metric: UInt32 = 0,
        table: UInt32 = 254
    ) -> [UInt8] {
        var header = rtmsg()
        header.rtm_family = UInt8(gateway.count == 4 ? AF_INET : AF_INET6)
        header.rtm_type = UInt8(RTN_UNICAST)
        header.rtm_table = UInt8(truncatingIfNeeded: table)
        return message(
            Int(RTM_NEWROUTE),
            bytes(of: header) + attribute(Int(RTA_OIF.rawValue), bytes(of: index))
                + attribute(Int(RTA_GATEWAY.rawValue), gateway)
                + attribute(Int(RTA_PRIORITY.rawValue), bytes(of: metric))
                + attribute(Int(RTA_TABLE.rawValue), bytes(of: table)))
    }

    static func multipath(_ hops: [(index: Int32, gateway: [UInt8])]) -> [UInt8] {
        var header = rtmsg()
        header.rtm_family = UInt8(AF_INET)
        header.rtm_type = UInt8(RTN_UNICAST)
        let ways = hops.flatMap { hop -> [UInt8] in
            let gateway = attribute(Int(RTA_GATEWAY.rawValue), hop.gateway)
            return bytes(
                of: rtnexthop(
                    rtnh_len: UInt16(8 + gateway.count), rtnh_flags: 0, rtnh_hops: 0, rtnh_ifindex: hop.index))
                + gateway
        }
        return message(Int(RTM_NEWROUTE), bytes(of: header) + attribute(Int(RTA_MULTIPATH.rawValue), ways))
    }

    static func rule(_ priority: UInt32, table: UInt32, mark: UInt32 = 0, inverted: Bool = false) -> [UInt8] {
        var header = fib_rule_hdr()
        header.family = UInt8(AF_INET)
        header.action = UInt8(FR_ACT_TO_TBL)
        header.flags = inverted ? UInt32(FIB_RULE_INVERT) : 0
        return message(
            Int(RTM_NEWRULE),
            bytes(of: header) + attribute(Int(FRA_PRIORITY), bytes(of: priority))
                + attribute(Int(FRA_TABLE), bytes(of: table)) + attribute(Int(FRA_FWMARK), bytes(of: mark)))
    }

    /// One of everything.
    static var samples: [[UInt8]] {
        [
            link(2, "eth0"), address(2, [10, 0, 0, 2]),
            address(2, [0x20, 1, 0xD, 0xB8] + Array(repeating: 1, count: 12)),
            route(through: 2, via: [10, 0, 0, 1], metric: 100),
            multipath([(2, [10, 0, 0, 1]), (3, [10, 0, 0, 9])]), rule(100, table: 51820, mark: 7, inverted: true),
            message(Int(NLMSG_ERROR), bytes(of: Int32(-101)) + Array(repeating: 0, count: 16)),
            message(Int(NLMSG_DONE), bytes(of: Int32(0))),
        ]
    }
}
