internal import Glibc

/// A listening socket with a full queue. On Linux, connection attempts to it get no answer.
public final class FullListener: Sendable {
    /// The port, on `host`.
    public let port: Int
    private let descriptors: [Int32]

    /// Creates a listener, and fills its queue.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port; 0 for any free one.
    public init(on host: String = "127.0.0.1", port: Int = 0) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr(host)
        address.sin_port = UInt16(port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fillers = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> [Int32] in
                guard bind(listener, address, length) == 0, listen(listener, 0) == 0,
                    getsockname(listener, address, &length) == 0
                else { return [] }
                return (0..<4).map { _ in
                    let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                    connect(filler, address, length)
                    return filler
                }
            }
        }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        descriptors = [listener] + fillers
        usleep(50_000)
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
