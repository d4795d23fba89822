internal import AirframeWire

/// The order in which the addresses of a host are tried (RFC 8305 §4).
enum AddressOrder {
    /// Returns `addresses` with the families alternating, starting with the first address's family. The resolver has
    /// already sorted each family by preference (RFC 6724).
    static func interleaved(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first, addresses.count > 1 else { return addresses }
        let preferred = addresses.filter { $0.isIPv6 == first.isIPv6 }
        let others = addresses.filter { $0.isIPv6 != first.isIPv6 }
        var order: [IPAddress] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { order.append(preferred[index]) }
            if index < others.count { order.append(others[index]) }
        }
        return order
    }
}
