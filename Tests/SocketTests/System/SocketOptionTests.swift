import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Glibc
import HTTPTypes
import Testing

@Suite("Socket options", .timeLimit(.minutes(1)))
struct SocketOptionTests {
    /// The option of the one socket of this process that is connected to `server`.
    private func option(_ level: Int32, _ name: Int32, of server: ScriptedServer) -> Int32? {
        for descriptor in Int32(3)..<4096 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
            }
            guard code == 0, address.sin_family == sa_family_t(AF_INET),
                UInt16(bigEndian: address.sin_port) == UInt16(server.port)
            else { continue }
            var value: Int32 = -1
            var size = socklen_t(MemoryLayout<Int32>.size)
            return getsockopt(descriptor, level, name, &value, &size) == 0 ? value : nil
        }
        return nil
    }

    @Test("TCP_NODELAY and SO_KEEPALIVE are set by default")
    func defaults() async throws {
        let server = try ScriptedServer.answering()
        let transport = SocketTransport()
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(option(Int32(IPPROTO_TCP), TCP_NODELAY, of: server) == 1)
        #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: server) == 1)
        #expect(option(Int32(IPPROTO_TCP), TCP_KEEPIDLE, of: server) == 60)
        #expect(option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: server) == 0)
        withExtendedLifetime(transport) {}
    }

    @Test("keep-alive and the limit on unacknowledged bytes follow the configuration")
    func configured() async throws {
        let server = try ScriptedServer.answering()
        var configuration = SocketTransport.Configuration()
        configuration.keepAliveDelay = .seconds(7)
        configuration.unacknowledgedDataLimit = .seconds(9)
        let transport = SocketTransport(configuration: configuration)
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(option(Int32(IPPROTO_TCP), TCP_KEEPIDLE, of: server) == 7)
        #expect(option(Int32(IPPROTO_TCP), TCP_KEEPINTVL, of: server) == 7)
        #expect(option(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, of: server) == 9000)
        withExtendedLifetime(transport) {}
    }

    @Test("SO_KEEPALIVE is not set if `keepAliveDelay` is nil")
    func none() async throws {
        let server = try ScriptedServer.answering()
        var configuration = SocketTransport.Configuration()
        configuration.keepAliveDelay = nil
        let transport = SocketTransport(configuration: configuration)
        _ = try await transport.fetch(TransportRequest(.get, server.origin))
        #expect(option(SOL_SOCKET, SO_KEEPALIVE, of: server) == 0)
        withExtendedLifetime(transport) {}
    }
}
