import Airframe
import AirframeCurl
import AirframeHAR
import AirframeLogging
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("Recording over TLS", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct SecureRecordingTests {
    @Test(
        "an archive has handshake, address, connection and version",
        arguments: ["curl", "socket"], [HTTPVersionPolicy.http1Only, .automatic]
    )
    func phases(engine: String, version: HTTPVersionPolicy) async throws {
        let peers = try Peers.required()
        let workplace = try ArchiveFolder()
        let recorder = try HARRecorder(file: workplace.archive)
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        configuration.transportOptions.tls.roots = .pemFile(path: try peers.path("root"))
        configuration.transportOptions.httpVersion = version
        configuration.urlCache = nil
        let transport: any Transport = engine == "curl" ? CurlTransport() : SocketTransport()
        let session = Session(transport: transport, configuration: configuration, eventMonitors: [recorder])
        var spoken: [String] = []
        for _ in 0..<2 {
            let response = await session.request(try peers.https() + "/static/1k.json").serializingData().response
            _ = try response.result.get()
            spoken.append(response.metrics?.transactionMetrics.last?.networkProtocolName ?? "")
        }
        try await recorder.close()
        #expect(try await Reader.faults(of: workplace.archive).isEmpty)

        let entries = try HAR.Log(contentsOf: workplace.archive).entries
        try #require(entries.count == 2)
        #expect(entries.map(\.response.httpVersion) == spoken.map { $0 == "h2" ? "HTTP/2" : $0.uppercased() })
        let (first, second) = (entries[0], entries[1])
        let (connect, handshake) = (try #require(first.timings.connect), try #require(first.timings.ssl))
        #expect(handshake > 0 && handshake <= connect && first.timings.dns != nil)
        #expect(first.timings.wait > 0)
        #expect(second.timings.connect == nil && second.timings.ssl == nil && second.timings.dns == nil)
        #expect(first.connection == second.connection)
        for entry in entries {
            #expect(["127.0.0.1", "::1"].contains(entry.serverIPAddress))
            #expect(entry.custom["_tls"]?["version"] == "TLS 1.3")
            #expect(abs(entry.time - entry.timings.total) < 0.001)
            #expect(entry.response.bodySize == entry.response.content.size)
        }
    }
}
