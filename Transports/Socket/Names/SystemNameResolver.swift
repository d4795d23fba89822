internal import CSocket
internal import Glibc

/// Asks the system's resolver: `/etc/hosts`, DNS, and whatever `/etc/nsswitch.conf` names.
///
/// `getaddrinfo` blocks, so each question has a thread for as long as it takes. A question cannot be taken back: whoever gives up
/// waiting leaves the thread to end by itself.
public struct SystemNameResolver: NameResolver {
    /// The system's resolver.
    public static let shared = SystemNameResolver()

    /// Asks for the addresses of `host`.
    ///
    /// - Throws: ``NameResolutionError``.
    public func addresses(of host: String) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            let code = Thread.detach("airframe-names") { continuation.resume(with: Self.ask(host)) }
            if code != 0 {
                let words = "no thread to ask from: \(SystemError.text(code))"
                continuation.resume(throwing: NameResolutionError(host: host, message: words))
            }
        }
    }

    private static func ask(_ host: String) -> Result<[String], any Error> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        let systemCode = errno
        guard code == 0 else {
            let words = code == EAI_SYSTEM ? SystemError.text(systemCode) : String(cString: gai_strerror(code))
            return .failure(NameResolutionError(host: host, message: words))
        }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var entry = list
        while let current = entry {
            if let address = current.pointee.ai_addr,
                let endpoint = Endpoint(address, length: Int(current.pointee.ai_addrlen)),
                case .ip(let ip, _) = endpoint.place, case let text = ip.description, !addresses.contains(text)
            {
                addresses.append(text)
            }
            entry = current.pointee.ai_next
        }
        return .success(addresses)
    }
}

/// Why a name has no address.
public struct NameResolutionError: Error, CustomStringConvertible {
    /// The name.
    public let host: String
    /// The resolver's words.
    public let message: String

    /// Describes a failure.
    public init(host: String, message: String) {
        self.host = host
        self.message = message
    }

    /// The name and the resolver's words.
    public var description: String { "\(host): \(message)" }
}
