import AirframeConformance
import AirframeTestSupport
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

    @Test(
        "lines of a pipe are sent, and the answers that arrive within --wait are written",
        .enabled(if: Peers.areExpected))
    func pipe() async throws {
        let outcome = try await Program.run(["ws", try Self.echo()], input: "hello\nsecond line\n")
        #expect(outcome.status == 0 && outcome.output == "hello\nsecond line\n", "\(outcome)")
        let immediate = try await Program.run(["ws", "--wait", "0", try Self.echo()], input: "hello\n")
        #expect(immediate.status == 0 && immediate.errors.isEmpty, "\(immediate)")
    }

    @Test(
        "on a terminal each answer is written below its line, and the end of input closes",
        .enabled(if: Peers.areExpected))
    func terminal() async throws {
        let outcome = try await Program.terminal(["ws", try Self.echo()], keys: "a\n\u{4}")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output == "[connected]\r\na\r\na\r\n[closed with 1000]\r\n", "\(outcome)")
    }

    @Test("an interrupt closes the connection in good order")
    func interrupt() async throws {
        let closing = Bytes()
        let server = try WebSocketAnswers.accepting { connection in
            try connection.send(WebSocketAnswers.text("begin"))
            // A masked frame of two bytes.
            closing.append(try connection.read(8))
            try connection.send(WebSocketAnswers.close)
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        // The input is empty, so that the connection is open for --wait seconds.
        let script = #"""
            exec 3< <("$0" "$@" 2>"$ERRORS" </dev/null & echo $! >"$PID"; wait $!; echo " $?")
            head -c 6 <&3; kill -s INT "$(cat "$PID")"; cat <&3
            """#
        let outcome = try await Program.shell(
            script, ["ws", "--wait", "60", server.origin], ["PID": folder.path("pid")])
        #expect(outcome.output == "begin\n 130\n", "\(outcome)")
        let frame = closing.all
        try #require(frame.count == 8 && frame[0] == 0x88 && frame[1] == 0x82, "\(frame)")
        #expect([frame[6] ^ frame[2], frame[7] ^ frame[3]] == [0x03, 0xE9])
    }

    @Test("messages cannot control a terminal; a pipe gets them unchanged")
    func escapes() async throws {
        let server = try WebSocketAnswers.accepting { connection in
            try connection.send(WebSocketAnswers.text("a\u{1B}[2Jb") + WebSocketAnswers.binary([0x1B, 0x63, 0x00]))
            try connection.send(WebSocketAnswers.close)
            try connection.readToEnd()
        }
        defer { server.stop() }
        let terminal = try await Program.terminal(["ws", server.origin])
        #expect(terminal.output.contains("\r\na\\u{1b}[2Jb\r\n[3 B that are not text, not shown]\r\n"), "\(terminal)")
        let pipe = try await Program.run(["ws", "--wait", "60", server.origin], input: "")
        #expect(pipe.output == "a\u{1B}[2Jb\n\u{1B}c\0", "\(pipe)")
    }

    @Test("--quiet reports neither the opening nor the end of the connection")
    func quiet() async throws {
        let server = try WebSocketAnswers.accepting { connection in
            try connection.send(WebSocketAnswers.text("begin"))
            try connection.send(WebSocketAnswers.close)
            try connection.readToEnd()
        }
        defer { server.stop() }
        let outcome = try await Program.terminal(["ws", "--quiet", server.origin])
        #expect(outcome.output == "begin\r\n", "\(outcome)")
    }

    @Test("standard error that cannot be written ends no connection")
    func fullStandardError() async throws {
        let server = try WebSocketAnswers.accepting { connection in
            try connection.send(WebSocketAnswers.text("begin"))
            try connection.send(WebSocketAnswers.close)
            try connection.readToEnd()
        }
        defer { server.stop() }
        let outcome = try await Program.terminal(["ws", server.origin], script: #""$0" "$@" 2>/dev/full"#)
        #expect(outcome.status == 0 && outcome.output == "begin\r\n", "\(outcome)")
    }

    @Test("standard input is read no faster than its lines are sent")
    func backpressure() async throws {
        let server = try WebSocketAnswers.accepting { connection in
            // Reads nothing: the connection takes what the kernel buffers.
            connection.pause(.seconds(2))
            connection.reset()
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let script = #"""
            { head -c 64000000 /dev/zero | tr '\0' x | fold -w 1000 && echo all >"$ALL"; } | "$0" "$@" 2>"$ERRORS"
            """#
        let outcome = try await Program.shell(script, ["ws", server.origin], ["ALL": folder.path("all")])
        #expect(outcome.status == 1, "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("all")), "all lines were read")
    }

    @Test("a server without a WebSocket fails the command with its status", .enabled(if: Peers.areExpected))
    func declined() async throws {
        let url = try Peers.required().http("hangar") + "/status/404"
        let outcome = try await Program.run(["ws", url], input: "x\n")
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.errors.contains("404"), "\(outcome)")
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

    private static func echo() throws -> String { try Peers.required().http("hangar") + "/websocket/echo" }

    /// The bytes that a server has read.
    private final class Bytes: Sendable {
        private let bytes = Mutex<[UInt8]>([])

        var all: [UInt8] { bytes.withLock { $0 } }

        func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    }

    /// The heads that a server has read.
    private final class Heads: Sendable {
        private let heads = Mutex<[String]>([])

        var all: [String] { heads.withLock { $0 } }

        func append(_ head: String) { heads.withLock { $0.append(head) } }
    }
}
