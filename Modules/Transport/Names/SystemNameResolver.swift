#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The system's resolver: `/etc/hosts`, DNS, and the other sources of `/etc/nsswitch.conf`.
///
/// `getaddrinfo` blocks and cannot be interrupted, so it runs on dedicated threads: at most 32 in a process, one for
/// each name. Further names wait in a queue, which a cancelled task leaves.
public struct SystemNameResolver: NameResolver {
    /// The system's resolver.
    public static let shared = SystemNameResolver(pool: .shared)

    private let pool: LookupPool

    package init(pool: LookupPool) { self.pool = pool }

    /// Returns the addresses of `host`.
    ///
    /// - Throws: ``NameResolutionError``, or `CancellationError`.
    public func addresses(of host: String) async throws -> [String] {
        try Task.checkCancellation()
        return try await LookupPool.Question.wait {
            pool.ask(host, $0)
        } onCancel: {
            pool.leave(host, $0)
        }
    }

    /// Calls `getaddrinfo`, which blocks the thread.
    package static func lookUp(_ host: String) -> LookupPool.Answer {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        let systemCode = errno
        guard code == 0 else {
            let message = code == EAI_SYSTEM ? strerror(systemCode) : UnsafeMutablePointer(mutating: gai_strerror(code))
            return .failure(NameResolutionError(host: host, message: message.map { String(cString: $0) } ?? "\(code)"))
        }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry {
            if let address = current.pointee.ai_addr,
                let text = text(of: address, length: current.pointee.ai_addrlen), !addresses.contains(text)
            {
                addresses.append(text)
            }
            entry = current.pointee.ai_next
        }
        return .success(addresses)
    }

    /// Returns the text form of an address, with the zone of a link-local one (RFC 4007 §11).
    private static func text(of address: UnsafePointer<sockaddr>, length: socklen_t) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            guard let start = buffer.baseAddress,
                getnameinfo(address, length, start, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST) == 0
            else { return nil }
            return String(cString: start)
        }
    }
}
