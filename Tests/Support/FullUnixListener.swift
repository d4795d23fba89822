internal import Foundation
internal import Glibc

/// A listening Unix socket with room for one connection that nobody has accepted.
public final class FullUnixListener: Sendable {
    /// The path of the socket.
    public let path: String
    private let descriptor: Int32

    /// Creates a listener in the directory for temporary files.
    ///
    /// - Throws: `POSIXError` if it cannot listen.
    public init() throws {
        path = "/tmp/airframe-\(UUID().uuidString)"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, listen(descriptor, 0) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Accepts connections on a new thread, and answers one request on each.
    ///
    /// - Parameter count: The number of connections.
    public func answer(_ count: Int) {
        Thread.detachNewThread { [self] in
            for _ in 0..<count {
                let connection = accept(descriptor, nil, nil)
                var buffer = [UInt8](repeating: 0, count: 4_096)
                _ = recv(connection, &buffer, buffer.count, 0)
                let response = Array("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok".utf8)
                _ = send(connection, response, response.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }
}
