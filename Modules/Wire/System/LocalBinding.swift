internal import Glibc

/// The local end of a request's connections: an IP address, a network interface, or both.
package struct LocalBinding: Sendable {
    /// A part of the binding that cannot be used.
    package struct Refusal: Error, Sendable {
        /// The two parts of a binding.
        package enum Part: Sendable {
            case address
            case interface
        }

        /// The part that failed.
        package let part: Part
        /// The system's error.
        package let code: Int32

        /// Whether the address or the interface has no address of the remote address's family.
        package var isOfOtherFamily: Bool {
            switch part {
            case .address: code == EAFNOSUPPORT
            case .interface: code == EADDRNOTAVAIL
            }
        }
    }

    private let address: String?
    private let interface: String?

    /// - Parameters:
    ///   - address: The local IP address; `nil` for any.
    ///   - interface: The name of the network interface; `nil` for any.
    package init(address: String?, interface: String?) {
        self.address = address
        self.interface = interface
    }

    /// Binds a TCP socket that is not connected yet.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - isIPv6: Whether its family is IPv6.
    /// - Throws: The first part that cannot be used: `EINVAL` for text that is not an IP address, `EAFNOSUPPORT` for an
    ///   address of the other family, `ENODEV` for an unknown interface.
    package func apply(to descriptor: Int32, isIPv6: Bool) throws(Refusal) {
        if let interface { try bindToInterface(interface, descriptor, isIPv6: isIPv6) }
        guard let address else { return }
        guard let local = IPAddress(address) else { throw Refusal(part: .address, code: EINVAL) }
        try Self.bind(descriptor, to: local, isIPv6: isIPv6)
    }

    /// Binds to the interface if that is allowed, otherwise to its address.
    private func bindToInterface(_ name: String, _ descriptor: Int32, isIPv6: Bool) throws(Refusal) {
        guard if_nametoindex(name) != 0 else { throw Refusal(part: .interface, code: ENODEV) }
        guard setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.utf8.count)) != 0 else { return }
        let code = errno
        // A socket has one local address, which the caller has chosen.
        guard code == EPERM, address == nil else { throw Refusal(part: .interface, code: code) }
        guard let local = Self.address(of: name, isIPv6: isIPv6) else {
            throw Refusal(part: .interface, code: EADDRNOTAVAIL)
        }
        try Self.bind(descriptor, to: local, isIPv6: isIPv6)
    }

    private static func bind(_ descriptor: Int32, to local: IPAddress, isIPv6: Bool) throws(Refusal) {
        guard local.isIPv6 == isIPv6 else { throw Refusal(part: .address, code: EAFNOSUPPORT) }
        // The kernel then chooses the port when the socket connects. A port chosen earlier could not be shared by
        // connections to different destinations.
        var isOn: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let code = local.withSystemAddress(port: 0) { Glibc.bind(descriptor, $0, $1) == 0 ? 0 : errno }
        guard code == 0 else { throw Refusal(part: .address, code: code) }
    }

    /// Returns the first address of an interface in one of the two families.
    private static func address(of name: String, isIPv6: Bool) -> IPAddress? {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return nil }
        defer { freeifaddrs(list) }
        var entry = list
        while let current = entry {
            entry = current.pointee.ifa_next
            guard let place = current.pointee.ifa_addr, String(cString: current.pointee.ifa_name) == name else {
                continue
            }
            let raw = UnsafeRawPointer(place)
            switch Int32(place.pointee.sa_family) {
            case AF_INET where !isIPv6:
                return IPAddress(raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
            case AF_INET6 where isIPv6:
                let six = raw.loadUnaligned(as: sockaddr_in6.self)
                return IPAddress(six.sin6_addr, scope: six.sin6_scope_id)
            default: continue
            }
        }
        return nil
    }
}
