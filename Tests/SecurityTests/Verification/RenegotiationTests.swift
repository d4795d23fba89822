import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Renegotiation in TLS 1.2 (RFC 5246 §7.4.1.1)", .serialized, .timeLimit(.minutes(2)))
struct RenegotiationTests {
    /// `openssl s_server` behind a shell that requests a new handshake when it sees the request, and then answers.
    private final class Server {
        let port: Int
        private let process = Process()
        private let output = Pipe()

        private static let script = """
            trap '' PIPE
            coproc server {
                exec timeout 60 openssl s_server -accept 127.0.0.1:0 -naccept 1 -tls1_2 \
                    -cert "$1" -cert_chain "$1" -key "$2" 2>&1
            }
            exec 3<&"${server[0]}" 4>&"${server[1]}"
            while IFS= read -r line <&3; do
                echo "$line"
                case $line in
                    "GET /"*) printf 'r\\n' >&4 ;;
                    SSL_do_handshake*) printf 'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok' >&4 ;;
                esac
            done
            """

        init(_ pki: PKI) throws {
            process.executableURL = URL(filePath: "/bin/bash")
            process.arguments = ["-c", Self.script, "server", pki.path("valid.pem"), pki.path("valid.key")]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            port = try #require(ListeningPort.read(from: output), "openssl s_server says no port")
        }

        /// The server's output, which ends with its statistics when the connection has ended.
        func rest() throws -> String {
            String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
    }

    @Test(
        "a server gets no second handshake, in which it could change its certificate", arguments: TestedEngine.allCases
    )
    func refused(engine: TestedEngine) async throws {
        let server = try Server(try PKI.made())
        let transport = engine.transport
        let trusting = ClosureTrustEvaluator { _, _ in }
        // A server that insists ends the connection; another one may answer.
        _ = try? await LiveRequest.fetch(transport, trusting, port: server.port) { request in
            request.options.httpVersion = .http1Only
        }
        await transport.shutdown()
        let output = try server.rest()
        #expect(output.contains("SSL_do_handshake"), "\(output)")
        #expect(output.contains(" 1 server accepts that finished"), "\(output)")
    }
}
