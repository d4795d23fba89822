internal import AirframeTransport
internal import AirframeWire
internal import CSocket
internal import Glibc

/// A local or remote address of a socket, convertible to the kernel's form.
struct Endpoint: Sendable, Hashable {
    /// An IP address, or a path.
    enum Place: Sendable, Hashable {
        case ip(IPAddress, port: UInt16)
        case unix(path: String)
    }

    let place: Place

    /// An IP address and a port, which its URL or ``ProxyRoute`` has checked.
    init(_ address: IPAddress, port: Int) { place = .ip(address, port: UInt16(truncatingIfNeeded: port)) }

    /// A Unix socket.
    init(path: String) { place = .unix(path: path) }

    /// The address family, `AF_INET` and so on.
    var family: Int32 {
        switch place {
        case .ip(let address, _): address.isIPv6 ? AF_INET6 : AF_INET
        case .unix: AF_UNIX
        }
    }

    /// The address in the form that connections and events carry.
    var publicAddress: SocketAddress {
        switch place {
        case .ip(let address, let port): .ip(address.description, port: Int(port))
        case .unix(let path): .unix(path: path)
        }
    }

    /// Calls `body` with the kernel's form. Returns `nil` if a path is too long for it.
    func withSystemAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        switch place {
        case .ip(let address, let port): address.withSystemAddress(port: port, body)
        case .unix(let path): Self.withSystemAddress(path: path, body)
        }
    }

    private static func withSystemAddress<Result>(
        path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte is reserved for the NUL.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    typealias Ask = (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32

    /// Creates the endpoint that `ask` (`getsockname` or `getpeername`) returns; `nil` if there is none.
    init?(_ descriptor: borrowing Descriptor, _ ask: Ask) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = descriptor.number
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(number, $0, &length) }
        }
        guard code == 0 else { return nil }
        let found = withUnsafeBytes(of: &storage) { Self.place($0, length: Int(length)) }
        guard let found else { return nil }
        place = found
    }

    private static func place(_ bytes: UnsafeRawBufferPointer, length: Int) -> Place? {
        guard length >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let four = bytes.loadUnaligned(as: sockaddr_in.self)
            return .ip(IPAddress(four.sin_addr), port: UInt16(bigEndian: four.sin_port))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let six = bytes.loadUnaligned(as: sockaddr_in6.self)
            return .ip(IPAddress(six.sin6_addr, scope: six.sin6_scope_id), port: UInt16(bigEndian: six.sin6_port))
        case AF_UNIX:
            let path = bytes.dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
            return .unix(path: String(decoding: path, as: UTF8.self))
        default:
            return nil
        }
    }
}
