internal import CNetlink
internal import Glibc

/// One message of rtnetlink, with the parts that paths depend on.
package struct NetlinkMessage: Sendable, Hashable {
    /// The content of a message.
    package enum Content: Sendable, Hashable {
        case link(LinkRecord)
        case linkRemoved(index: Int32)
        case address(AddressRecord)
        case addressRemoved(AddressRecord)
        case route(RouteRecord)
        case routeRemoved(RouteRecord)
        case rule(RuleRecord)
        case ruleRemoved(RuleRecord)
        /// The end of a dump; an error number if the kernel gave up.
        case done(error: Int32)
        /// The answer to a request: an error number, or 0 for an acknowledgement.
        case error(Int32)
        /// The kernel has lost messages.
        case overrun
        /// Irrelevant or unknown.
        case other
    }

    /// The flags of the header (`NLM_F_…`).
    package let flags: UInt16
    /// The number of the request that this answers; 0 for an event.
    package let sequence: UInt32
    /// The port of the socket that asked; 0 for an event.
    package let port: UInt32
    /// The content.
    package let content: Content

    /// The messages of one datagram.
    ///
    /// - Throws: `MalformedNetlink` when a length in the datagram is wrong. Such a datagram is dropped as a whole.
    package static func parse(_ datagram: RawSpan) throws(MalformedNetlink) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var offset = 0
        while offset < datagram.byteCount {
            guard let header = datagram.value(at: offset, as: nlmsghdr.self) else {
                throw MalformedNetlink(what: "message header", offset: offset)
            }
            let length = Int(header.nlmsg_len)
            guard length >= MemoryLayout<nlmsghdr>.size, length <= datagram.byteCount - offset else {
                throw MalformedNetlink(what: "message of type \(header.nlmsg_type), length \(length)", offset: offset)
            }
            let payload = datagram.extracting(offset + MemoryLayout<nlmsghdr>.size..<offset + length)
            guard let content = Content(type: Int32(header.nlmsg_type), payload: payload) else {
                throw MalformedNetlink(what: "content of a message of type \(header.nlmsg_type)", offset: offset)
            }
            messages.append(
                NetlinkMessage(
                    flags: header.nlmsg_flags,
                    sequence: header.nlmsg_seq,
                    port: header.nlmsg_pid,
                    content: content
                )
            )
            // Messages begin at multiples of four bytes; the last may end the datagram without its padding.
            offset += (length + 3) & ~3
        }
        return messages
    }
}

/// An error: a datagram of the kernel whose lengths are inconsistent.
package struct MalformedNetlink: Error, Hashable, CustomStringConvertible {
    let what: String
    let offset: Int

    package var description: String { "malformed netlink \(what) at byte \(offset)" }
}

extension NetlinkMessage.Content {
    /// - Returns: `nil` when the payload is too short for its type, or its attributes do not fit it.
    init?(type: Int32, payload: RawSpan) {
        switch type {
        case Int32(NLMSG_ERROR):
            guard let code = payload.value(at: 0, as: Int32.self) else { return nil }
            self = .error(code == .min ? EIO : abs(code))
        case Int32(NLMSG_DONE):
            // Old kernels end a dump without a code.
            let code = payload.value(at: 0, as: Int32.self) ?? 0
            self = .done(error: code < 0 && code != .min ? -code : 0)
        case Int32(NLMSG_OVERRUN): self = .overrun
        case Int32(RTM_NEWLINK), Int32(RTM_DELLINK):
            guard let header = payload.value(at: 0, as: ifinfomsg.self) else { return nil }
            // A bridge reports its ports under its own family: a port that leaves is not a removed interface.
            guard header.ifi_family == UInt8(AF_UNSPEC), header.ifi_index > 0 else {
                self = .other
                return
            }
            guard type == Int32(RTM_NEWLINK) else {
                self = .linkRemoved(index: header.ifi_index)
                return
            }
            guard let parsed = LinkRecord.parse(header, payload) else { return nil }
            self = parsed.map { .link($0) } ?? .other
        case Int32(RTM_NEWADDR), Int32(RTM_DELADDR):
            guard let parsed = AddressRecord.parse(payload) else { return nil }
            self = parsed.map { type == Int32(RTM_NEWADDR) ? .address($0) : .addressRemoved($0) } ?? .other
        case Int32(RTM_NEWROUTE), Int32(RTM_DELROUTE):
            guard let parsed = RouteRecord.parse(payload) else { return nil }
            self = parsed.map { type == Int32(RTM_NEWROUTE) ? .route($0) : .routeRemoved($0) } ?? .other
        case Int32(RTM_NEWRULE), Int32(RTM_DELRULE):
            guard let parsed = RuleRecord.parse(payload) else { return nil }
            self = parsed.map { type == Int32(RTM_NEWRULE) ? .rule($0) : .ruleRemoved($0) } ?? .other
        default: self = .other
        }
    }
}
