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
        do throws(LocalBinding.Refusal) {
            let binding = LocalBinding(address: options.localAddress, interface: options.networkInterface)
            try binding.apply(to: number, isIPv6: endpoint.family == AF_INET6)
        } catch {
            throw SystemFailure(error)
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
}

extension SystemFailure {
    fileprivate init(_ refusal: LocalBinding.Refusal) {
        let call =
            switch refusal.part {
            case .address: "bind"
            case .interface: "interface"
            }
        self.init(code: refusal.code, call: call, isOfOtherFamily: refusal.isOfOtherFamily)
    }
}
