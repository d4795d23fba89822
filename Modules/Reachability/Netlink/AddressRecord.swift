internal import CNetlink
internal import Glibc

/// An address of an interface, as `RTM_NEWADDR` describes it.
package struct AddressRecord: Sendable, Hashable {
    package var index: Int32
    package var address: IPAddress
    /// The other end of a point-to-point link; elsewhere the address itself.
    package var peer: IPAddress
    package var prefixLength: UInt8
    /// `RT_SCOPE_…`.
    package var scope: UInt8
    /// `IFA_F_…`.
    package var flags: UInt32

    /// The identity of the address.
    struct Key: Hashable {
        let index: Int32
        let address: IPAddress
        let peer: IPAddress
        let prefixLength: UInt8
    }

    var key: Key { Key(index: index, address: address, peer: peer, prefixLength: prefixLength) }

    /// - Returns: `nil` for wrong lengths; `.some(nil)` for another family's address.
    static func parse(_ payload: RawSpan) -> AddressRecord?? {
        guard let header = payload.value(at: 0, as: ifaddrmsg.self) else { return nil }
        var local: IPAddress?
        var remote: IPAddress?
        var flags = UInt32(header.ifa_flags)
        let fits = payload.forEachAttribute(from: MemoryLayout<ifaddrmsg>.size) { type, value in
            switch type {
            case Int32(IFA_LOCAL): local = IPAddress(family: header.ifa_family, value)
            case Int32(IFA_ADDRESS): remote = IPAddress(family: header.ifa_family, value)
            // The header has eight flags; the attribute has all.
            case Int32(IFA_FLAGS): flags = value.value(at: 0, as: UInt32.self) ?? flags
            default: break
            }
        }
        guard fits else { return nil }
        guard let address = local ?? remote, let index = Int32(exactly: header.ifa_index) else { return .some(nil) }
        return AddressRecord(
            index: index,
            address: address,
            peer: remote ?? address,
            prefixLength: header.ifa_prefixlen,
            scope: header.ifa_scope,
            flags: flags
        )
    }
}
