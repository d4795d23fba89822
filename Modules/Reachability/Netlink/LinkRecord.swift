internal import CNetlink
internal import Glibc

/// An interface, as `RTM_NEWLINK` describes it.
package struct LinkRecord: Sendable, Hashable {
    package var index: Int32
    /// `ARPHRD_…`.
    package var hardwareType: UInt16
    /// `IFF_…`.
    package var flags: UInt32
    package var name: String
    package var mtu: UInt32 = 0
    /// RFC 2863's state, `IF_OPER_…`.
    package var operationalState: UInt8 = 0
    /// `nil` if the kernel does not report it.
    package var carrier: Bool?
    /// The value of `IFLA_INFO_KIND`, such as "veth"; most hardware has none.
    package var driverKind: String?
    package var hardwareAddress: [UInt8] = []

    var isUp: Bool { flags & UInt32(IFF_UP.rawValue) != 0 }
    var isRunning: Bool { isUp && flags & UInt32(IFF_RUNNING.rawValue) != 0 }
    var isLoopback: Bool { flags & UInt32(IFF_LOOPBACK.rawValue) != 0 }

    /// - Returns: `nil` for wrong lengths; `.some(nil)` for a message that does not describe the interface, such as
    ///   an event of a wireless driver.
    static func parse(_ header: ifinfomsg, _ payload: RawSpan) -> LinkRecord?? {
        var record = LinkRecord(
            index: header.ifi_index,
            hardwareType: header.ifi_type,
            flags: header.ifi_flags,
            name: ""
        )
        var isWhole = true
        var describes = false
        let fits = payload.forEachAttribute(from: MemoryLayout<ifinfomsg>.size) { type, value in
            switch type {
            case Int32(IFLA_IFNAME): record.name = value.text
            case Int32(IFLA_MTU):
                record.mtu = value.value(at: 0, as: UInt32.self) ?? 0
                describes = true
            case Int32(IFLA_OPERSTATE): record.operationalState = value.value(at: 0, as: UInt8.self) ?? 0
            case Int32(IFLA_CARRIER): record.carrier = value.value(at: 0, as: UInt8.self).map { $0 != 0 }
            case Int32(IFLA_ADDRESS): record.hardwareAddress = value.byteCount <= 32 ? value.array : []
            case Int32(IFLA_LINKINFO):
                isWhole = value.forEachAttribute(from: 0) { type, value in
                    if type == Int32(IFLA_INFO_KIND) { record.driverKind = value.text }
                }
            default: break
            }
        }
        guard fits, isWhole else { return nil }
        return .some(describes && !record.name.isEmpty ? record : nil)
    }
}
