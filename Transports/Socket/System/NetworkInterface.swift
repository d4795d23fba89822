internal import AirframeWire
internal import CSocket
internal import Glibc

/// Queries about the system's network interfaces.
enum NetworkInterface {
    /// Returns the first address of an interface in one of the two families.
    static func address(of name: String, isIPv6: Bool) -> IPAddress? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var entry = list
        while let current = entry {
            entry = current.pointee.ifa_next
            guard let address = current.pointee.ifa_addr, String(cString: current.pointee.ifa_name) == name,
                let endpoint = Endpoint(address, length: length(of: address)),
                case .ip(let ip, _) = endpoint.place, ip.isIPv6 == isIPv6
            else { continue }
            return ip
        }
        return nil
    }

    private static func length(of address: UnsafePointer<sockaddr>) -> Int {
        switch Int32(address.pointee.sa_family) {
        case AF_INET: MemoryLayout<sockaddr_in>.size
        case AF_INET6: MemoryLayout<sockaddr_in6>.size
        default: MemoryLayout<sa_family_t>.size
        }
    }
}
