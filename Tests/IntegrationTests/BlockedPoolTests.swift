import AirframeConformance
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@Suite("A program whose tasks block all threads of Swift's pool", .timeLimit(.minutes(2)))
struct BlockedPoolTests {
    @Test(
        "requests with handlers go on; requests that a blocked task awaits end when there is a thread again",
        arguments: ["socket", "curl"]
    )
    func blockedPool(engine: String) async throws {
        let failures = Mutex(0)
        let server = try ScriptedServer { connection in
            while let head = try? connection.readHead() {
                let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) }
                if let length { try connection.read(length) }
                let isFirst =
                    head.contains("/flaky")
                    && failures.withLock {
                        $0 += 1; return $0 == 1
                    }
                try connection.send("HTTP/1.1 \(isFirst ? 503 : 200) x\r\nContent-Length: 5\r\n\r\nhello")
            }
        }
        defer { server.stop() }
        let outcome = try await Command.built("blocked-pool-probe", [engine, server.origin]).run()
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "handlers: 20 of 20", "nested: 2 of 2", "retried: 1 of 1", "downloaded: 1 of 1", "uploaded: 1 of 1",
                "validated: 1 of 1", "awaited while blocked: nothing", "awaited afterwards: hello",
            ],
            "\(outcome.output)"
        )
        #expect(outcome.status == 0)
    }

    @Test("a stream needs no thread of the task that waits on the same connection", arguments: ["socket", "curl"])
    func sharedConnection(engine: String) async throws {
        let server = try ScriptedServer { connection in
            guard try connection.read(HTTP2Frame.preface.count) == HTTP2Frame.preface else { return }
            try connection.send([HTTP2Frame.settings(), .settingsAcknowledged].bytes)
            var hasRequest = false
            while true {
                let head = try connection.read(9)
                let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
                if length > 0 { try connection.read(length) }
                guard head[3] == 1 else { continue }
                // The first request is not answered.
                if hasRequest {
                    let stream = UInt32(head[8])
                    try connection.send([.ok(stream: stream), .data("ok", end: true, stream: stream)].bytes)
                }
                hasRequest = true
            }
        }
        defer { server.stop() }
        let outcome = try await Command.built("blocked-pool-probe", [engine, server.origin, "http2"]).run()
        #expect(outcome.output == "on a shared connection: 2 of 2\n")
        #expect(outcome.status == 0)
        #expect(server.connections.count == 1)
    }
}
