import AirframeConformance
import AirframeCore
import AirframeSerialization
import AirframeTransport
import Foundation
import Testing

@Suite("Bearer tokens from files, over the wire", .timeLimit(.minutes(1)))
struct BearerTokenFileTests {
    @Test("a rejected token is replaced by the file's new one", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)")
        try Data("first\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try ScriptedServer { connection in
            while true {
                let isFresh = try connection.readHead().contains("Authorization: Bearer second\r\n")
                // The token is rotated while the request is in flight.
                if !isFresh { try Data("second\n".utf8).write(to: file, options: .atomic) }
                let status = isFresh ? "200 OK" : "401 Unauthorized"
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(
            transport: engine.transport,
            configuration: configuration,
            interceptor: BearerTokenFile(
                path: file.path(), for: [Origin(scheme: "http", host: "127.0.0.1", port: server.port)])
        )
        let response = await session.request(server.origin + "/").validate().serializingString().response
        #expect(response.value == "ok")
        #expect(response.request?.headers["Authorization"] == "Bearer second")
    }
}
