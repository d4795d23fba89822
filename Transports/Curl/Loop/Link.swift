internal import AirframeTransport
internal import CCurl
internal import Glibc

/// One socket that libcurl has opened to a server or a proxy.
///
/// A class, because it outlives its exchanges. libcurl 7.88 does not report its numbers of connections, so the engine
/// has its own and finds a connection by its two addresses. Only the holder of the loop's turn accesses its properties.
final class Link {
    /// The two addresses of a connection, as libcurl reports them before it sends a request.
    struct Ends: Equatable {
        let remote: SocketAddress
        let local: SocketAddress
    }

    let id: UInt64
    let descriptor: Int32
    let address: SocketAddress
    /// The exchange that the socket was opened for.
    let opener: ExchangeID
    @exclusivity(unchecked) var isConnected = false
    /// The instant in nanoseconds at which the attempt is aborted in favour of another address; `.max` for never.
    @exclusivity(unchecked) var givenUpAt = Int64.max
    /// Whether the attempt was aborted.
    @exclusivity(unchecked) var isGivenUp = false
    @exclusivity(unchecked) var ends: Ends?
    /// The handshake with the server, over TLS.
    @exclusivity(unchecked) var handshake: TLSHandshake?
    /// The last response head. An exchange takes it while it reads a head, and returns it with the complete head.
    @exclusivity(unchecked) var headMemory = HeadMemory()
    /// The description that all exchanges on the connection share; `nil` before the first.
    @exclusivity(unchecked) var connection: TransportConnection?

    init(id: UInt64, descriptor: Int32, address: SocketAddress, opener: ExchangeID) {
        self.id = id
        self.descriptor = descriptor
        self.address = address
        self.opener = opener
    }

    /// Whether the peer has neither sent anything since its last response nor closed, as a kept HTTP/1.1 connection
    /// requires.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    /// Whether the socket is connected.
    var hasPeer: Bool {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }
}

/// The open sockets, by descriptor and by their addresses.
struct LinkTable {
    // Descriptors are small numbers: the system assigns the lowest free one.
    private var byDescriptor: [Link?] = []
    // The ports alone identify nearly all connections.
    private var byPorts: [UInt64: [Link]] = [:]
    private var lastID: UInt64 = 0

    subscript(descriptor: Int32) -> Link? {
        let index = Int(descriptor)
        return byDescriptor.indices.contains(index) ? byDescriptor[index] : nil
    }

    subscript(ends: Link.Ends) -> Link? {
        byPorts[ends.ports]?.last { $0.ends == ends }
    }

    mutating func open(_ descriptor: Int32, to address: SocketAddress, for opener: ExchangeID) -> Link {
        lastID += 1
        let link = Link(id: lastID, descriptor: descriptor, address: address, opener: opener)
        let index = Int(descriptor)
        while byDescriptor.count <= index { byDescriptor.append(nil) }
        byDescriptor[index] = link
        return link
    }

    mutating func setEnds(_ ends: Link.Ends, of link: Link) {
        forgetEnds(of: link)
        link.ends = ends
        byPorts[ends.ports, default: []].append(link)
    }

    @discardableResult
    mutating func close(_ descriptor: Int32) -> Link? {
        guard let link = self[descriptor] else { return nil }
        byDescriptor[Int(descriptor)] = nil
        forgetEnds(of: link)
        return link
    }

    private mutating func forgetEnds(of link: Link) {
        guard let ports = link.ends?.ports, var links = byPorts[ports] else { return }
        links.removeAll { $0 === link }
        byPorts[ports] = links.isEmpty ? nil : links
    }
}

extension Link.Ends {
    /// The ports of both ends.
    fileprivate var ports: UInt64 { UInt64(Self.port(of: remote)) << 32 | UInt64(Self.port(of: local)) }

    private static func port(of address: SocketAddress) -> UInt32 {
        if case .ip(_, let port) = address { UInt32(truncatingIfNeeded: port) } else { 0 }
    }
}

extension SocketAddress {
    /// Converts a socket address of the system; `nil` for other families than IPv4, IPv6 and Unix sockets.
    init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let four = raw.loadUnaligned(as: sockaddr_in.self)
            let bytes = withUnsafeBytes(of: four.sin_addr) { Array($0) }
            self = .ip(Self.text(bytes) ?? "", port: Int(UInt16(bigEndian: four.sin_port)))
        case AF_INET6:
            let six = raw.loadUnaligned(as: sockaddr_in6.self)
            let bytes = withUnsafeBytes(of: six.sin6_addr) { Array($0) }
            self = .ip(Self.text(bytes) ?? "", port: Int(UInt16(bigEndian: six.sin6_port)))
        case AF_UNIX:
            let path = raw + (MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2)
            self = .unix(path: String(cString: path.assumingMemoryBound(to: CChar.self)))
        default:
            return nil
        }
    }

    /// Returns the text form of the 4 or 16 bytes of an IP address.
    static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            guard let start = text.baseAddress, inet_ntop(family, bytes, start, socklen_t(INET6_ADDRSTRLEN)) != nil
            else { return nil }
            return String(cString: start)
        }
    }
}
