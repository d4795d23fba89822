import AirframeConformance
import Foundation
import Synchronization
import Testing

@Suite("airframe ws and trust take the options of requests", .timeLimit(.minutes(3)))
struct WebSocketProcessTests {
    @Test("the handshake carries credentials, fields and items of the query")
    func handshake() async throws {
        let heads = Heads()
        let server = try ScriptedServer { connection in
            heads.append(try connection.readHead())
            try connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await Program.run(
            ["ws", "--user", "ada:pw", "--cookie", "a=1", "-H", "X-A: b", server.origin + "/chat", "room==7"],
            input: "x\n")
        #expect(outcome.status == 1 && outcome.errors.contains("403"), "\(outcome)")
        let head = try #require(heads.all.first).lowercased()
        #expect(head.hasPrefix("get /chat?room=7 http/1.1\r\n"), "\(head)")
        let expected = "\(Data("ada:pw".utf8).base64EncodedString())".lowercased()
        #expect(head.contains("\r\nauthorization: basic \(expected)\r\n"), "\(head)")
        #expect(head.contains("\r\ncookie: a=1\r\n") && head.contains("\r\nx-a: b\r\n"), "\(head)")
        #expect(head.contains("\r\nupgrade: websocket\r\n"), "\(head)")
    }

    @Test("the engine that cannot upgrade refuses by name")
    func engine() async throws {
        let outcome = try await Program.run(["ws", "--engine", "curl", "http://localhost:1"], input: "x\n")
        #expect(outcome.status == 1 && outcome.errors.contains("does not support upgrades"), "\(outcome)")
    }

    @Test("a proxy that cannot be reached is named", arguments: [["ws"], ["trust"]])
    func proxy(command: [String]) async throws {
        let outcome = try await Program.run(
            command + ["--proxy", "http://127.0.0.1:1", "--max-time", "5", "localhost:1"],
            environment: ["NO_PROXY": ""])
        #expect(outcome.status == 5 && outcome.errors.contains("127.0.0.1:1"), "\(outcome)")
    }

    @Test(
        "options that make no sense are refused",
        arguments: [
            ["ws", "--form", "localhost:1"], ["ws", "--json", "localhost:1"], ["ws", "localhost:1", "a=b"],
            ["trust", "--insecure", "localhost:1"], ["trust", "--max-time", "0", "localhost:1"],
        ])
    func refused(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status == 64 && !outcome.errors.isEmpty, "\(outcome)")
    }

    /// The heads that a server has read.
    private final class Heads: Sendable {
        private let heads = Mutex<[String]>([])

        var all: [String] { heads.withLock { $0 } }

        func append(_ head: String) { heads.withLock { $0.append(head) } }
    }
}
