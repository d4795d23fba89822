import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Internationalised names (RFC 5890)", .timeLimit(.minutes(1)))
struct InternationalNameTests {
    /// Resolves every name to the loopback address, and records it.
    private final class RecordingResolver: NameResolver {
        // Guards the recorded names.
        private let names = Mutex<[String]>([])
        var asked: [String] { names.withLock { $0 } }

        func addresses(of host: String) async throws -> [String] {
            names.withLock { $0.append(host) }
            return ["127.0.0.1"]
        }
    }

    @Test("a name in its ASCII form is resolved and sent unchanged", arguments: TestedEngine.allCases)
    func asciiForm(_ engine: TestedEngine) async throws {
        let resolver = RecordingResolver()
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            let host = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("host:") } ?? "none"
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(host.utf8.count)\r\n\r\n\(host)")
        }
        let request = TransportRequest(.get, at: "xn--bcher-kva.test:\(server.port)")
        #expect(
            try await engine.transport(resolver: resolver).text(request) == "Host: xn--bcher-kva.test:\(server.port)")
        #expect(resolver.asked == ["xn--bcher-kva.test"])
    }

    @Test(
        "a name outside ASCII is rejected before it is resolved: engines choose no mapping (UTS 46)",
        arguments: TestedEngine.allCases, ["bücher.test", "faß.test", "例え.test"])
    func unicode(_ engine: TestedEngine, host: String) async throws {
        let resolver = RecordingResolver()
        let error = await engine.transport(resolver: resolver).failure(of: TransportRequest(.get, at: host))
        #expect(error?.code == .invalidRequest)
        #expect(error?.processing == .notSent)
        #expect(error?.message.contains("ASCII form") == true, "\(error?.message ?? "")")
        #expect(resolver.asked.isEmpty)
    }
}
