internal import AirframeTransport
internal import AirframeWire
internal import CSocket
internal import Glibc

/// The options that are set on sockets before they connect.
struct SocketOptions {
    private let options: TransportOptions
    private let configuration: SocketTransport.Configuration

    init(_ options: TransportOptions, _ configuration: SocketTransport.Configuration) {
        self.options = options
        self.configuration = configuration
    }

    /// Opens a socket for `endpoint`.
    func open(for endpoint: Endpoint) throws(SystemFailure) -> Descriptor {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let settings = options.socket
        let isUnix = endpoint.family == AF_UNIX
        let descriptor = Descriptor(socket(endpoint.family, kind, isUnix ? 0 : settings.socketProtocol))
        guard descriptor.isOpen else {
            let code = errno
            throw SystemFailure(code: code, call: "socket", refusal: settings.refusal(ofOpening: code))
        }
        guard !isUnix else { return descriptor }
        let number = descriptor.number
        Self.set(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if let delay = configuration.keepAliveDelay {
            let seconds = Self.whole(delay.wholeNanoseconds, 1_000_000_000)
            Self.set(number, SOL_SOCKET, SO_KEEPALIVE, 1)
            Self.set(number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, seconds)
            Self.set(number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, seconds)
        }
        if let limit = configuration.unacknowledgedDataLimit {
            Self.set(number, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Self.whole(limit.wholeNanoseconds, 1_000_000))
        }
        do throws(SocketSettingRefusal) {
            try settings.apply(to: number, isIPv6: endpoint.family == AF_INET6)
        } catch {
            throw SystemFailure(code: error.code, call: "setsockopt", refusal: error)
        }
        if let address = options.localAddress {
            try Self.bind(number, address, endpoint)
        } else if let interface = options.networkInterface {
            try Self.bindToInterface(number, interface, endpoint)
        }
        return descriptor
    }

    /// The maximum number of descriptors of the process.
    static var descriptorLimit: UInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return UInt(limit.rlim_cur)
    }

    private static func set(_ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func whole(_ nanoseconds: Int64, _ unit: Int64) -> Int32 {
        Int32(clamping: max(1, nanoseconds / unit))
    }

    // MARK: The local end

    private static func bind(_ number: Int32, _ text: String, _ endpoint: Endpoint) throws(SystemFailure) {
        guard let address = IPAddress(text) else { throw SystemFailure(code: EINVAL, call: "bind") }
        try bind(number, address, endpoint)
    }

    private static func bind(_ number: Int32, _ address: IPAddress, _ endpoint: Endpoint) throws(SystemFailure) {
        let local = Endpoint(address, port: 0)
        guard local.family == endpoint.family else { throw SystemFailure(code: EAFNOSUPPORT, call: "bind") }
        // The kernel then chooses the port when the socket connects. A port chosen earlier could not be shared by
        // connections to different destinations.
        set(number, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, 1)
        let code = local.withSystemAddress { Glibc.bind(number, $0, $1) == 0 ? 0 : errno } ?? EINVAL
        guard code == 0 else { throw SystemFailure(code: code, call: "bind") }
    }

    /// Binds to the interface if that is allowed, otherwise to its address.
    private static func bindToInterface(
        _ number: Int32,
        _ name: String,
        _ endpoint: Endpoint
    ) throws(SystemFailure) {
        guard if_nametoindex(name) != 0 else { throw SystemFailure(code: ENODEV, call: "interface") }
        let length = socklen_t(name.utf8.count)
        guard setsockopt(number, SOL_SOCKET, SO_BINDTODEVICE, name, length) != 0 else { return }
        guard errno == EPERM else { throw SystemFailure(code: errno, call: "interface") }
        guard let address = NetworkInterface.address(of: name, isIPv6: endpoint.family == AF_INET6) else {
            throw SystemFailure(code: EADDRNOTAVAIL, call: "interface")
        }
        try bind(number, address, endpoint)
    }
}
