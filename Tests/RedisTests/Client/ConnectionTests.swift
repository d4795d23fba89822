import Foundation
import Glibc
import Testing

@testable import AirframeRedis

@Suite("A connection to Redis", .timeLimit(.minutes(1)))
struct ConnectionTests {
    /// A listening Unix socket.
    private final class Listener {
        let path = FileManager.default.temporaryDirectory.appending(path: "airframe-\(UUID().uuidString)").path
        private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)

        init() throws {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0 && listen(descriptor, 1) == 0)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        /// Accepts a connection and closes it.
        func closeConnection() { close(accept(descriptor, nil, nil)) }
    }

    @Test("a write to a connection that the server has closed is an error, without SIGPIPE")
    func brokenPipe() throws {
        let listener = try Listener()
        let connection = try RedisConnection(to: .unixSocket(path: listener.path))
        listener.closeConnection()
        try connection.append(RedisCommand("PING").bytes)
        // While the thread blocks the signal, a raised one stays pending instead of ending the tests.
        var pipeOnly = sigset_t()
        sigemptyset(&pipeOnly)
        sigaddset(&pipeOnly, SIGPIPE)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &pipeOnly, &before)
        defer {
            var now = timespec()
            sigtimedwait(&pipeOnly, nil, &now)
            pthread_sigmask(SIG_SETMASK, &before, nil)
        }
        let failure = try #require(throws: RedisConnection.Failure.self) { try connection.write() }
        #expect(failure.reason == "Broken pipe")
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 0)
    }
}
