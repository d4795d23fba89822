internal import CNetlink
internal import Glibc

/// A socket to the kernel's routing tables. It stays in the network namespace in which it was opened.
///
/// One socket is for events, another for requests: an answer must not wait behind events, nor be lost with them.
struct NetlinkSocket: ~Copyable {
    private let owned: OwnedDescriptor
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var sequence: UInt32 = 0
    private let port: UInt32

    /// For `poll`.
    var descriptor: Int32 { owned.value }

    /// The result of one attempt to receive.
    enum Reception {
        case messages([NetlinkMessage])
        /// No datagram is pending.
        case empty
        /// Events were lost: the kernel's queue overflowed, or a datagram was malformed.
        case lost
    }

    /// The most repetitions of a dump that the kernel calls inconsistent.
    private static let attempts = 8

    /// - Parameter groups: The multicast groups to join (`RTMGRP_…`); none for a socket that sends queries.
    init(groups: UInt32 = 0) throws(NetworkPathError) {
        let owned = try Self.open(groups)
        port = Self.port(of: owned.value)
        self.owned = owned
    }

    /// - Parameter namespace: The namespace of the socket; `nil` for the thread's own.
    static func opened(groups: UInt32 = 0, in namespace: NetworkNamespace?) throws(NetworkPathError) -> NetlinkSocket {
        guard let namespace else { return try NetlinkSocket(groups: groups) }
        return try namespace.run { () throws(NetworkPathError) in try NetlinkSocket(groups: groups) }
    }

    private static func open(_ groups: UInt32) throws(NetworkPathError) -> OwnedDescriptor {
        let owned = OwnedDescriptor(value: airframe_netlink_socket())
        guard owned.value >= 0 else { throw NetworkPathError("open a netlink socket", code: errno) }
        var address = sockaddr_nl()
        address.nl_family = UInt16(AF_NETLINK)
        address.nl_groups = groups
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(owned.value, $0, socklen_t(MemoryLayout<sockaddr_nl>.size))
            }
        }
        guard code == 0 else { throw NetworkPathError("subscribe to the kernel's network events", code: errno) }
        // The kernel answers immediately; the limit keeps a fault from blocking the thread forever.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(owned.value, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return owned
    }

    private static func port(of descriptor: Int32) -> UInt32 {
        var address = sockaddr_nl()
        var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return address.nl_pid
    }

    /// Sets the size of the kernel's queue for this socket, in bytes; the kernel bounds the size.
    borrowing func setReceiveBuffer(_ bytes: Int32) {
        var bytes = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Receives one datagram.
    ///
    /// - Parameter waits: Whether to wait for one.
    mutating func receive(waits: Bool) throws(NetworkPathError) -> Reception {
        while true {
            var sender = sockaddr_nl()
            var size = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let flags = Int32(MSG_TRUNC) | (waits ? 0 : Int32(MSG_DONTWAIT))
            let descriptor = descriptor
            let count = buffer.withUnsafeMutableBytes { bytes in
                withUnsafeMutablePointer(to: &sender) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { sender in
                        recvfrom(descriptor, bytes.baseAddress, bytes.count, flags, sender, &size)
                    }
                }
            }
            if count < 0 {
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    guard !waits else { throw NetworkPathError("read the kernel's answer", code: ETIMEDOUT) }
                    return .empty
                case ENOBUFS: return .lost
                default: throw NetworkPathError("read from the netlink socket", code: errno)
                }
            }
            // Any process may send to a netlink socket; only the kernel sends from port 0.
            guard sender.nl_pid == 0 else { continue }
            guard count <= buffer.count else { return .lost }
            do {
                return .messages(try NetlinkMessage.parse(buffer.span.bytes.extracting(0..<count)))
            } catch {
                return .lost
            }
        }
    }

    /// Requests a whole table.
    ///
    /// - Parameters:
    ///   - type: `RTM_GET…`.
    ///   - body: The payload after the header.
    ///   - each: Called with the parts of the answer. When the kernel calls its answer inconsistent, it is queried
    ///     again: `restart` comes before each attempt.
    /// - Returns: Whether the answer is consistent.
    mutating func dump(
        _ type: Int32,
        _ body: [UInt8],
        restart: () -> Void,
        each: (NetlinkMessage.Content) -> Void
    ) throws(NetworkPathError) -> Bool {
        for _ in 0..<Self.attempts {
            restart()
            if try dumpOnce(type, body, each: each) { return true }
        }
        return false
    }

    private mutating func dumpOnce(
        _ type: Int32,
        _ body: [UInt8],
        each: (NetlinkMessage.Content) -> Void
    ) throws(NetworkPathError) -> Bool {
        try send(type, flags: UInt16(NLM_F_DUMP), body)
        var isConsistent = true
        while true {
            guard case .messages(let messages) = try receive(waits: true) else {
                // Messages of this answer that follow have an old sequence number and are ignored.
                return false
            }
            for message in messages where message.sequence == sequence && message.port == port {
                if message.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isConsistent = false }
                switch message.content {
                case .done(let error):
                    guard error == 0 else { throw NetworkPathError("list what the kernel knows", code: error) }
                    return isConsistent
                case .error(let error): throw NetworkPathError("list what the kernel knows", code: error)
                case .overrun: return false
                default: each(message.content)
                }
            }
        }
    }

    /// Sends one request.
    ///
    /// - Returns: The answer.
    /// - Throws: The kernel's error; its code is the reason why there is no route.
    mutating func ask(_ type: Int32, _ body: [UInt8]) throws(NetworkPathError) -> NetlinkMessage.Content {
        try send(type, flags: 0, body)
        while true {
            guard case .messages(let messages) = try receive(waits: true) else {
                throw NetworkPathError("ask the kernel for a route", code: EIO)
            }
            for message in messages where message.sequence == sequence && message.port == port {
                if case .error(let code) = message.content {
                    throw NetworkPathError("ask the kernel for a route", code: code)
                }
                return message.content
            }
        }
    }

    private mutating func send(_ type: Int32, flags: UInt16, _ body: [UInt8]) throws(NetworkPathError) {
        // 0 is the number of events.
        sequence = sequence == .max ? 1 : sequence + 1
        let header = nlmsghdr(
            nlmsg_len: UInt32(clamping: MemoryLayout<nlmsghdr>.size + body.count),
            nlmsg_type: UInt16(truncatingIfNeeded: type),
            nlmsg_flags: flags | UInt16(NLM_F_REQUEST),
            nlmsg_seq: sequence,
            nlmsg_pid: port
        )
        let request = [UInt8](bytesOf: header) + body
        var sent = -1
        repeat { sent = Glibc.send(descriptor, request, request.count, 0) } while sent < 0 && errno == EINTR
        guard sent == request.count else { throw NetworkPathError("send a netlink request", code: errno) }
    }
}

/// A descriptor that is closed with its owner.
private struct OwnedDescriptor: ~Copyable {
    let value: Int32

    deinit { if value >= 0 { close(value) } }
}

extension [UInt8] {
    /// The bytes of a trivial value in memory: netlink uses the machine's byte order.
    init(bytesOf value: some BitwiseCopyable) {
        self = Swift.withUnsafeBytes(of: value) { Array($0) }
    }

    /// Appends a netlink attribute.
    mutating func appendAttribute(_ type: Int32, _ value: [UInt8]) {
        let header = rtattr(
            rta_len: UInt16(clamping: MemoryLayout<rtattr>.size + value.count),
            rta_type: UInt16(truncatingIfNeeded: type)
        )
        append(contentsOf: [UInt8](bytesOf: header) + value)
        append(contentsOf: repeatElement(0, count: (4 - value.count % 4) % 4))
    }
}
