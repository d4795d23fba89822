internal import CNetlink
internal import Glibc

/// Asks the kernel how it would send a packet to an address.
enum RouteLookup {
    /// - Parameters:
    ///   - address: The destination of the packet.
    ///   - interface: The index of the interface that the packet must use; `nil` for any.
    ///   - links: The current interfaces.
    static func route(
        to address: IPAddress,
        through interface: Int32?,
        links: [Int32: LinkRecord],
        _ socket: inout NetlinkSocket
    ) throws(NetworkPathError) -> HostRoute {
        let blocked = HostRoute(address: address, isReachable: false, interfaceIndex: nil, gateway: nil, isLocal: false)
        var header = rtmsg()
        header.rtm_family = UInt8(address.version == .ipv4 ? AF_INET : AF_INET6)
        header.rtm_dst_len = address.version == .ipv4 ? 32 : 128
        var body = [UInt8](bytesOf: header)
        body.appendAttribute(Int32(RTA_DST.rawValue), address.bytes)
        if let interface { body.appendAttribute(Int32(RTA_OIF.rawValue), [UInt8](bytesOf: interface)) }
        let answer: NetlinkMessage.Content
        do {
            answer = try socket.ask(Int32(RTM_GETROUTE), body)
        } catch {
            // These errors are answers: no route, a route that refuses (EINVAL for a blackhole), a protocol that is not
            // available.
            let answers = [
                ENETUNREACH, EHOSTUNREACH, EACCES, EINVAL, ENETDOWN, ENODEV, EAFNOSUPPORT, EOPNOTSUPP, EAGAIN,
            ]
            guard answers.contains(error.code) else { throw error }
            return blocked
        }
        guard case .route(let route) = answer, let hop = route.nextHops.first, let link = links[hop.index] else {
            return blocked
        }
        let isLocal = route.type == UInt8(RTN_LOCAL)
        // IPv6 answers with a route of the type "unreachable", where IPv4 answers with an error.
        guard isLocal || route.type == UInt8(RTN_UNICAST) else { return blocked }
        return HostRoute(
            address: address,
            isReachable: link.isRunning && !hop.isDead && !hop.lacksCarrier,
            interfaceIndex: Int(hop.index),
            gateway: hop.gateway,
            isLocal: isLocal
        )
    }
}
