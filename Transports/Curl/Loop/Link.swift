internal import AirframeTransport
internal import CCurl
internal import Glibc

/// One socket that libcurl has opened to a server or a proxy.
///
/// A class, because exchanges come and go while it stays. libcurl 7.88 numbers connections but does not say how, so
/// they are numbered here, and found again by their ends. The holder of the loop's turn alone accesses its properties.
final class Link {
    /// The two ends of a connection, as libcurl names them to a request that is about to be sent.
    struct Ends: Equatable {
        let remote: SocketAddress
        let local: SocketAddress
    }

    let id: UInt64
    let descriptor: Int32
    let address: SocketAddress
    /// The exchange that it was opened for.
    let opener: ExchangeID
    @exclusivity(unchecked) var isConnected = false
    /// When the attempt to connect is given up for another address, in nanoseconds; `.max` for never.
    @exclusivity(unchecked) var givenUpAt = Int64.max
    /// Whether the attempt was given up.
    @exclusivity(unchecked) var isGivenUp = false
    @exclusivity(unchecked) var ends: Ends?
    /// The handshake with the server, over TLS.
    @exclusivity(unchecked) var handshake: TLSHandshake?
    /// The last head that came; an exchange that reads one takes it, and brings it back when the head is whole.
    @exclusivity(unchecked) var headMemory = HeadMemory()
    /// What is the same for all exchanges on it; `nil` before the first.
    @exclusivity(unchecked) var connection: TransportConnection?

    init(id: UInt64, descriptor: Int32, address: SocketAddress, opener: ExchangeID) {
        self.id = id
        self.descriptor = descriptor
        self.address = address
        self.opener = opener
    }

    /// Whether the peer has said nothing since its last response, and not closed: what a kept HTTP/1.1 connection
    /// must be.
    var isQuiet: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && errno == EAGAIN
    }

    /// Whether the socket has a peer by now.
    var hasPeer: Bool {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
        }
    }
}

/// The sockets that are open, by descriptor and by their ends.
struct LinkTable {
    // Descriptors are small numbers: the system gives the lowest that is free.
    private var byDescriptor: [Link?] = []
    // The ports alone tell nearly all connections apart.
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
    /// The address of a socket in the system's form; `nil` for families that are not used here.
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

    /// The text form of 4 or 16 bytes of an IP address.
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
