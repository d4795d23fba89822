#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A setting that the kernel refused.
package struct SocketSettingRefusal: Error, Sendable {
    /// The setting's public name.
    package let setting: String
    /// The system's error.
    package let code: Int32

    /// The setting and the system's message, in one line.
    package var message: String { "the kernel does not apply \(setting): \(SocketSettings.text(code))" }
}

/// Linux's constants, some of which the C libraries' module maps lack.
private enum LinuxOption {
    static let protocolTCP: Int32 = 6
    static let protocolMPTCP: Int32 = 262
    static let trafficClass6: Int32 = 67
    static let typeOfService: Int32 = 1
    static let mark: Int32 = 36
    static let keepIdle: Int32 = 4
    static let keepInterval: Int32 = 5
    static let keepCount: Int32 = 6
    static let userTimeout: Int32 = 18
    static let fastOpenConnect: Int32 = 30
}

extension SocketSettings {
    /// The protocol to open a stream socket with; 0 for plain TCP.
    package var socketProtocol: Int32 { multipath == true ? LinuxOption.protocolMPTCP : 0 }

    /// Returns the error of a socket that could not be opened with ``socketProtocol``.
    ///
    /// - Parameter code: The system's error.
    /// - Returns: `nil` if the settings are not the reason.
    package func refusal(ofOpening code: Int32) -> SocketSettingRefusal? {
        guard multipath == true, [EPROTONOSUPPORT, ENOPROTOOPT, EINVAL, EPROTOTYPE].contains(code) else { return nil }
        return SocketSettingRefusal(setting: "Multipath TCP (RFC 8684)", code: code)
    }

    /// Applies the settings to a TCP socket that is not connected yet.
    ///
    /// - Parameters:
    ///   - descriptor: The socket.
    ///   - isIPv6: Whether its family is IPv6.
    /// - Throws: The first setting that the kernel refuses.
    package func apply(to descriptor: Int32, isIPv6: Bool) throws(SocketSettingRefusal) {
        guard self != SocketSettings() else { return }
        if let dscp { try applyDSCP(dscp, to: descriptor, isIPv6: isIPv6) }
        if let mark {
            try Self.set(descriptor, SOL_SOCKET, LinuxOption.mark, Int32(bitPattern: mark), "the packet mark (SO_MARK)")
        }
        if let keepAlive { try applyKeepAlive(keepAlive, to: descriptor) }
        if let userTimeout {
            let milliseconds = Self.whole(userTimeout, 1_000_000)
            try Self.setTCP(descriptor, LinuxOption.userTimeout, milliseconds, "the user timeout (RFC 5482)")
        }
        if fastOpen == true {
            try Self.setTCP(descriptor, LinuxOption.fastOpenConnect, 1, "TCP Fast Open (RFC 7413)")
        }
    }

    private func applyDSCP(_ dscp: Int, to descriptor: Int32, isIPv6: Bool) throws(SocketSettingRefusal) {
        let name = "the code point \(dscp) (DSCP)"
        guard (0...63).contains(dscp), let value = Int32(exactly: dscp << 2) else {
            throw SocketSettingRefusal(setting: name, code: EINVAL)
        }
        if isIPv6 {
            try Self.set(descriptor, Int32(IPPROTO_IPV6), LinuxOption.trafficClass6, value, name)
        } else {
            try Self.set(descriptor, Int32(IPPROTO_IP), LinuxOption.typeOfService, value, name)
        }
    }

    private func applyKeepAlive(_ probes: KeepAlive, to descriptor: Int32) throws(SocketSettingRefusal) {
        let name = "keepalive probes"
        try Self.set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1, name)
        try Self.setTCP(descriptor, LinuxOption.keepIdle, Self.whole(probes.idle, 1_000_000_000), name)
        try Self.setTCP(descriptor, LinuxOption.keepInterval, Self.whole(probes.interval, 1_000_000_000), name)
        try Self.setTCP(descriptor, LinuxOption.keepCount, Int32(clamping: probes.count), name)
    }

    private static func setTCP(
        _ descriptor: Int32,
        _ option: Int32,
        _ value: Int32,
        _ name: String
    ) throws(SocketSettingRefusal) {
        try set(descriptor, LinuxOption.protocolTCP, option, value, name)
    }

    private static func set(
        _ descriptor: Int32,
        _ level: Int32,
        _ option: Int32,
        _ value: Int32,
        _ name: String
    ) throws(SocketSettingRefusal) {
        #if os(Linux)
            var value = value
            let result = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
            guard result == 0 else { throw SocketSettingRefusal(setting: name, code: errno) }
        #else
            throw SocketSettingRefusal(setting: name, code: ENOTSUP)
        #endif
    }

    private static func whole(_ duration: Duration, _ unit: Int64) -> Int32 {
        Int32(clamping: max(1, duration.wholeNanoseconds / unit))
    }

    fileprivate static func text(_ code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
