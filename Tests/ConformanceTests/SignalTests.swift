import AirframeConformance
import AirframeTestSupport
import FoundationEssentials
import Testing

/// A library must survive a lost peer in a process that handles no signal.
@Suite("Writes to a closed peer, with default signal handling", .timeLimit(.minutes(2)))
struct SignalTests {
    enum Route: String, CaseIterable {
        case direct, proxy, tls
    }

    struct Upload: CustomTestStringConvertible {
        let engine: String
        let body: String
        let route: Route

        var testDescription: String { "\(engine), \(body), \(route.rawValue)" }

        static let all: [Upload] = ["socket", "curl"].flatMap { engine in
            ["bytes", "file", "stream", "trailers"].flatMap { body in
                Route.allCases.map { Upload(engine: engine, body: body, route: $0) }
            }
        }
    }

    /// Ends of connections in the middle of an upload. A socket that has seen the peer's end raises the signal on the
    /// next write; one that was reset raises it on the second.
    private static let ends: [[PeerStep]] = [
        [.readHead, .reset],
        [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .finishWriting, .reset],
        [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"), .close],
    ]

    @Test("an upload whose peer resets ends with a response or an error, not with a signal", arguments: Upload.all)
    func upload(_ upload: Upload) async throws {
        let connections = (0..<12).map { Self.ends[$0 % Self.ends.count] }
        let peer = try RawPeer(PeerScenario(tls: upload.route == .tls ? PeerTLS() : nil, connections: connections))
        defer { peer.stop() }
        let url = "\(upload.route == .tls ? "https" : "http")://\(peer.authority)/"
        let proxy = upload.route == .proxy ? "http://\(peer.authority)" : "-"
        let outcome = try await Command.built("signal-probe", [upload.engine, upload.body, url, proxy, "9"]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(peer.connections.count >= 9, "\(outcome.output)")
    }

    @Test("a log without a reader is dropped", arguments: ["console", "curl-logger"])
    func log(_ logger: String) async throws {
        let outcome = try await Command.built("signal-probe", [logger]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
