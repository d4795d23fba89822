import AirframeConformance
import Foundation
import Synchronization
import Testing

@Suite("airframe retries", .timeLimit(.minutes(3)))
struct RetryProcessTests {
    @Test("a status of --retry-status is retried, and the last response is written", arguments: ["sockets", "curl"])
    func statuses(engine: String) async throws {
        let server = try Self.failing(times: 1)
        defer { server.stop() }
        let outcome = try await Program.run(["get", "--engine", engine, "--retry", "2", server.origin])
        #expect(outcome.status == 0 && outcome.output == "attempt 2", "\(outcome)")
    }

    @Test("after the last retry the error response is written, and --fail exits with 22")
    func exhausted() async throws {
        let server = try Self.failing(times: 9)
        defer { server.stop() }
        let outcome = try await Program.run(["get", "--retry", "1", "--fail", server.origin])
        #expect(outcome.status == 22 && outcome.output == "attempt 2", "\(outcome)")
    }

    @Test(
        "is not retried: a POST, a status that is not listed, a wait of more than a minute",
        arguments: [["post"], ["get", "--retry-status", "none"], ["get", "--retry-status", "429,500"]]
    )
    func unrepeatable(arguments: [String]) async throws {
        let server = try Self.failing(times: 1)
        defer { server.stop() }
        let outcome = try await Program.run(arguments + ["--retry", "3", server.origin])
        #expect(outcome.status == 0 && outcome.output == "attempt 1", "\(outcome)")
    }

    @Test("Retry-After delays the retry; a wait of more than a minute ends it (RFC 9110 §10.2.3)")
    func retryAfter() async throws {
        let server = try Self.failing(times: 1, field: "Retry-After: 2\r\n")
        defer { server.stop() }
        let start = ContinuousClock.now
        let outcome = try await Program.run(["get", "--retry", "1", server.origin])
        #expect(outcome.output == "attempt 2", "\(outcome)")
        #expect(ContinuousClock.now - start >= .seconds(2))

        let busy = try Self.failing(times: 1, field: "Retry-After: 3600\r\n")
        defer { busy.stop() }
        let refused = try await Program.run(["get", "--retry", "1", busy.origin])
        #expect(refused.output == "attempt 1", "\(refused)")
    }

    @Test("a list that is not of statuses is refused", arguments: ["0", "503,", "x", "503 504", "600"])
    func badList(list: String) async throws {
        let outcome = try await Program.run(["get", "--retry", "1", "--retry-status", list, "http://localhost:1"])
        #expect(outcome.status == 64 && outcome.errors.contains("--retry-status"), "\(outcome)")
    }

    /// A server that answers its first requests with 503, and each with the number of the attempt.
    private static func failing(times: Int, field: String = "") throws -> ScriptedServer {
        let attempts = Attempts()
        return try ScriptedServer { connection in
            while true {
                _ = try connection.readHead()
                let attempt = attempts.next()
                let status = attempt <= times ? "503 Service Unavailable\r\n\(field)" : "200 OK\r\n"
                let text = "attempt \(attempt)"
                try connection.send("HTTP/1.1 \(status)Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
        }
    }

    /// Counts requests over all connections.
    private final class Attempts: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
