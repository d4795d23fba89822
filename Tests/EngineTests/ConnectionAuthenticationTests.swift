import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("Negotiate and NTLM over sockets", .timeLimit(.minutes(1)))
struct ConnectionAuthenticationTests {
    @Test("the option is rejected before any I/O, and the error names the option and the engine that supports it")
    func rejection() async throws {
        let connections = Mutex(0)
        let server = try ScriptedServer { _ in connections.withLock { $0 += 1 } }
        let origin = Origin(scheme: "http", host: "127.0.0.1", port: server.port)
        let transport = SocketTransport()
        for authentication in [
            ConnectionAuthentication.negotiate(for: origin), .ntlm(user: "User", password: "Password", for: origin),
        ] {
            var request = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
            request.options.connectionAuthentication = authentication
            let error = await transport.failure(of: request)
            #expect(error?.code == .unsupportedOption)
            #expect(error?.processing == .notSent)
            #expect(error?.message.contains("AirframeCurl") == true, "\(error?.message ?? "no error")")
            #expect(error?.message.contains("Password") == false)
        }
        #expect(connections.withLock { $0 } == 0)
        await transport.shutdown()
    }
}
