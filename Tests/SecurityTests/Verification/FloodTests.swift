import AirframeConformance
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("A server that sends during the evaluation of its certificates", .serialized, .timeLimit(.minutes(2)))
struct FloodTests {
    /// A connection to a server of this machine.
    private final class Line {
        private let descriptor: Int32

        init(to port: Int) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let result = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

        /// The bytes that arrive within 10 milliseconds.
        func receive() -> [UInt8] {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&event, 1, 10) == 1 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
            }
        }
    }

    @Test("libcurl holds a limited number of bytes, and the error names it", arguments: ["-tls1_2", "-tls1_3"])
    func flood(version: String) async throws {
        let server = try OpenSSLServer("valid", try PKI.made(), arguments: [version])
        let port = server.port
        let asked = Signal()
        let relay = try ScriptedServer { connection in
            let line = try Line(to: port)
            line.send(try connection.readSome())
            // The server's part of the handshake.
            for _ in 0..<2_000 where !asked.isUp {
                let bytes = line.receive()
                if !bytes.isEmpty { try connection.send(bytes) }
            }
            // Bursts, each of which is below the limit.
            for _ in 0..<256 { try connection.send([UInt8](repeating: 0, count: 64 * 1024)) }
        }
        let evaluator = ClosureTrustEvaluator { _, _ in
            asked.raise()
            // Until the exchange is over, which cancels the evaluation.
            try await Task.sleep(for: .seconds(3600))
        }
        let error = await #expect(throws: TransportError.self) {
            try await LiveRequest.fetch(TestedEngine.curl.transport, evaluator, port: relay.port)
        }
        #expect(error?.code == .tlsFailed)
        #expect(error?.message.contains("262144 bytes") == true, "\(String(describing: error))")
        withExtendedLifetime(server) {}
    }
}
