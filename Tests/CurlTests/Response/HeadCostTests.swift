import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("The cost of heads and trailers", .timeLimit(.minutes(1)), .serialized)
struct HeadCostTests {
    private static let shapes: [(name: String, response: @Sendable (Int) -> String)] = [
        ("fields", { head(lines("X-Field: value", $0)) }),
        ("folded lines", { head("X-Field: value\r\n" + lines("  more", $0)) }),
        ("fields of one name, folded", { head(lines("X-Field: value\r\n more", $0 / 2)) }),
        ("trailers", { chunked(lines("X-Field: value", $0)) }),
        ("folded trailers", { chunked("X-Field: value\r\n" + lines("  more", $0)) }),
        ("informational responses", { lines("HTTP/1.1 103 Hints\r\nLink: <a>\r\n", min($0 / 90, 30)) + head("") }),
    ]

    private static func lines(_ line: String, _ count: Int) -> String {
        String(repeating: line + "\r\n", count: count)
    }

    private static func head(_ fields: String) -> String { "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(fields)\r\n" }

    private static func chunked(_ trailers: String) -> String {
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n"
    }

    @Test("ten times as many lines cost about ten times as much", arguments: shapes.indices)
    func curve(shape: Int) async throws {
        func time(_ count: Int) async throws -> Duration {
            let text = Self.shapes[shape].response(count)
            let server = try ScriptedServer { connection in
                while true {
                    try connection.readHead()
                    try connection.send(text)
                }
            }
            let transport = CurlTransport()
            var best = Duration.seconds(60)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                _ = try await transport.fetch(TransportRequest(.get, server.origin))
                best = min(best, ContinuousClock.now - start)
            }
            return best
        }
        let few = try await time(900)
        let many = try await time(9000)
        // Quadratic costs would be a hundred times as high.
        #expect(many < few * 30 + .milliseconds(20), "\(Self.shapes[shape].name): \(few), \(many)")
    }

    @Test("an endless head of folded lines is rejected soon and delays no other exchange")
    func endlessFolds() async throws {
        let text = Self.head("X-Field: value\r\n" + Self.lines(" a", 60_000))
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try? connection.send(text)
            _ = try? connection.readToEnd()
        }
        let start = ContinuousClock.now
        let error = await CurlTransport().failure(of: TransportRequest(.get, server.origin))
        #expect(error?.code == .headTooLarge)
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
