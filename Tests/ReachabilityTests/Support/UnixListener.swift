import Foundation
import Glibc
import NamespaceSupport
import Synchronization

/// A socket that accepts connections, writes something or nothing to each, and reads nothing.
final class UnixListener: Sendable {
    private final class Connections: Sendable {
        let descriptors = Mutex<[Int32]>([])
    }

    private let descriptor: Int32
    private let connections = Connections()

    var connectionCount: Int { connections.descriptors.withLock(\.count) }

    init(_ path: String, says words: String?) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(100)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, listen(descriptor, 16) == 0 else { throw Shell.Failure(description: "no socket at \(path)") }
        self.descriptor = descriptor
        Foundation.Thread.detachNewThread { [connections] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                connections.descriptors.withLock { $0.append(connection) }
                if let words { _ = send(connection, words, words.utf8.count, Int32(MSG_NOSIGNAL)) }
            }
            close(descriptor)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        for connection in connections.descriptors.withLock(\.self) { close(connection) }
    }
}
