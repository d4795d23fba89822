import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("A file of roots that changes", .serialized, .timeLimit(.minutes(2)))
struct RootsFileTests {
    @Test(
        "handshakes use the roots that the file has now, in resumptions too",
        arguments: TestedEngine.allCases,
        [TLSVersion.tls1_2, .tls1_3]
    )
    func changes(engine: TestedEngine, version: TLSVersion) async throws {
        let pki = try PKI.made()
        let server = try OpenSSLServer("valid", pki)
        let path = pki.path("roots-\(UUID().uuidString).pem")
        func install(_ root: String) throws {
            try pki.data("\(root).pem").write(to: URL(filePath: path), options: .atomic)
        }
        let transport = engine.transport
        func code() async -> TransportError.Code? {
            do {
                _ = try await LiveRequest.fetch(transport, nil, port: server.port) { request in
                    request.head.headerFields[.connection] = "close"
                    request.options.httpVersion = .http1Only
                    request.options.tls.roots = .pemFile(path: path)
                    request.options.tls.minimumVersion = version
                    request.options.tls.maximumVersion = version
                }
                return nil
            } catch {
                return (error as? TransportError)?.code ?? .cancelled
            }
        }
        try install("root")
        // The second handshake resumes the session of the first, and keeps a verdict on its chain.
        for _ in 0..<2 { #expect(await code() == nil) }
        try install("other-root")
        #expect(await code() == .trustRefused)
        try install("root")
        #expect(await code() == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(await code() == .tlsFailed)
        withExtendedLifetime(server) {}
    }
}
