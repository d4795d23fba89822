import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("What airframe get says of its request", .timeLimit(.minutes(1)))
struct DiagnosticsTests {
    private static let secrets = [
        "-H", "Authorization: Bearer s3cret", "-H", "Content-Type: application/x-www-form-urlencoded", "-d",
        "user=pilot&password=s3cret",
    ]

    /// A server that redirects once.
    private static func server() throws -> ScriptedServer {
        try ScriptedServer { connection in
            let head = try connection.readHead()
            let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().trimmingPrefix(" ")) }
            if let length { try connection.read(length) }
            let answer =
                head.contains(" /old")
                ? "302 Found\r\nLocation: /new?token=s3cret\r\nContent-Length: 0" : "200 OK\r\nContent-Length: 5"
            try connection.send("HTTP/1.1 \(answer)\r\nConnection: close\r\n\r\n")
            if !head.contains(" /old") { try connection.send("hello") }
        }
    }

    /// The output: of both streams, or of standard output alone.
    private func run(_ arguments: [String], alone: Bool = false) async throws -> (status: Int32, text: String) {
        let tool = Command.built("airframe", []).path
        let script = "exec \"$0\" \"$@\"" + (alone ? " 2>/dev/null" : "")
        let outcome = try await Command(["sh", "-c", script, tool, "get"] + arguments)
            .run(environment: ["no_proxy": "*", "LC_ALL": "C.UTF-8"])
        return (outcome.status, outcome.output)
    }

    @Test("stands on standard error, and the response alone on standard output", arguments: ["curl", "sockets"])
    func outputs(engine: String) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let url = "\(server.origin)/old?token=s3cret"
        let arguments = ["-v", "--print-curl", "--engine", engine] + Self.secrets + [url]
        #expect(try await run(arguments, alone: true) == (0, "hello"))
        let (_, text) = try await run(arguments)
        for words in [
            "curl -X POST ", "> POST \(server.origin)/old?token=•••", "> Authorization: Bearer •••", "< 302", "< 200",
            "* redirect 302 followed to \(server.origin)/new?token=•••", "✔ POST \(server.origin)/old?token=••• 200 in",
            "─ wait ", "hello",
        ] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        #expect(!text.contains("s3cret") && !text.contains("\u{1B}"), "\(text)")
    }

    @Test("by --timings is how the request ended, and where the time went")
    func timings() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (status, text) = try await run(["--timings", server.origin])
        #expect(status == 0)
        // The content is written as it comes, to another descriptor: which of the two is first is not said.
        #expect(text.contains("✔ GET \(server.origin) 200 in "), "\(text)")
        #expect(text.contains("connect ") && text.contains("hello"), "\(text)")
    }

    @Test("hides nothing by --show-secrets")
    func complete() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let (_, text) = try await run(["--print-curl", "--show-secrets"] + Self.secrets + ["\(server.origin)/"])
        #expect(text.contains("-H 'Authorization: Bearer s3cret'") && text.contains("password=s3cret'"), "\(text)")
    }

    @Test("by --har is an archive with an entry for each exchange, without secrets")
    func archive() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["--har", file.path] + Self.secrets + ["\(server.origin)/old?token=s3cret"]
        #expect(try await run(arguments) == (0, "hello"))
        let data = try Data(contentsOf: file)
        let archive = try #require(JSONSerialization.jsonObject(with: data) as? [String: [String: Any]])
        let entries = try #require(archive["log"]?["entries"] as? [[String: Any]])
        #expect(entries.compactMap { ($0["response"] as? [String: Any])?["status"] as? Int } == [302, 200])
        #expect(!String(decoding: data, as: UTF8.self).contains("s3cret"))
    }

    @Test("is nothing unless it was asked for")
    func nothing() async throws {
        let server = try Self.server()
        defer { server.stop() }
        #expect(try await run([server.origin]) == (0, "hello"))
    }
}
