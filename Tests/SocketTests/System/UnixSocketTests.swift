import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Unix sockets", .timeLimit(.minutes(1)))
struct UnixSocketTests {
    /// A listening socket with room for one connection that nobody has accepted.
    private final class FullListener: Sendable {
        let path: String
        private let descriptor: Int32

        init() throws {
            path = FileManager.default.temporaryDirectory.appending(path: "airframe-\(UUID().uuidString)").path
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            try #require(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let code = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(code == 0 && listen(descriptor, 0) == 0)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        /// Accepts connections on a new thread, and answers one request on each.
        func answer(_ count: Int) {
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

    private func request(_ listener: FullListener) -> TransportRequest {
        TransportRequest(.get, "http://localhost/").with { $0.options.unixSocketPath = listener.path }
    }

    @Test("a connection waits while the server's queue is full (connect(2))")
    func fullQueue() async throws {
        let listener = try FullListener()
        let transport = SocketTransport()
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await transport.text(request(listener)) } }
            try await Task.sleep(for: .milliseconds(50))
            listener.answer(8)
            for try await text in group { #expect(text == "ok") }
        }
    }

    @Test("the limit on connecting ends the wait")
    func limit() async throws {
        let listener = try FullListener()
        let transport = SocketTransport()
        let codes = await withTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await transport.failure(
                        of: request(listener).with {
                            $0.options.limits.connect = .milliseconds(100)
                            $0.options.limits.firstByte = .milliseconds(100)
                        })
                }
            }
            return await group.reduce(into: [TransportError.Code?]()) { $0.append($1?.code) }
        }
        #expect(codes == Array(repeating: .timedOut, count: 8))
    }
}
