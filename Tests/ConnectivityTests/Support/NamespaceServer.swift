import AirframeReachability
import Foundation
import Glibc
import NamespaceSupport
import Synchronization

/// A small HTTP server of this process, in a separate network namespace at the other end of a cable.
///
///     client namespace: up0, 10.0.1.2  ──  server namespace: srv0, 10.0.1.1
final class NamespaceServer: Sendable {
    let client: TestNamespace
    let port: Int
    private let server: TestNamespace
    private let listener: Int32
    private let answers = AnswerCount()

    /// How many requests were answered.
    var answered: Int { answers.value }
    /// What clients ask for.
    var url: String { "http://10.0.1.1:\(port)/" }

    /// Creates both namespaces. The client's end of the cable is down, and has no address.
    init() throws {
        client = try TestNamespace()
        server = try TestNamespace()
        try client.ip("link add up0 type veth peer name srv0 netns \(server.name)")
        try server.ip("addr add 10.0.1.1/24 dev srv0")
        try server.ip("link set srv0 up")
        let descriptor = try NetworkNamespace(path: "/run/netns/\(server.name)").run { Self.listen() }
        guard descriptor >= 0 else { throw Shell.Failure(description: "no socket to listen on") }
        listener = descriptor
        port = Self.port(of: descriptor)
        Foundation.Thread.detachNewThread { [answers] in Self.serve(descriptor, answers) }
    }

    // Wakes the thread that accepts, which closes the descriptor.
    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Gives the client its end of the cable.
    func connect() throws {
        try client.batch(["addr replace 10.0.1.2/24 dev up0", "link set up0 up"])
    }

    /// Pulls the cable at the server's end.
    func pull() throws { try server.ip("link set srv0 down") }

    /// Plugs the cable in again.
    func plug() throws { try server.ip("link set srv0 up") }

    private static func listen() -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, 64) == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func serve(_ listener: Int32, _ answers: AnswerCount) {
        defer { close(listener) }
        while true {
            let connection = accept(listener, nil, nil)
            if connection < 0 && (errno == EINTR || errno == ECONNABORTED) { continue }
            guard connection >= 0 else { return }
            answer(connection, answers)
            close(connection)
        }
    }

    private static func answer(_ connection: Int32, _ answers: AnswerCount) {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var head: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return }
            head += buffer.prefix(count)
        }
        answers.increase()
        let response = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n".utf8)
        _ = send(connection, response, response.count, Int32(MSG_NOSIGNAL))
    }
}

private final class AnswerCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func increase() { count.add(1, ordering: .acquiringAndReleasing) }
}
