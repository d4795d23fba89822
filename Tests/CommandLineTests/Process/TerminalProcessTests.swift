import AirframeConformance
import AirframeCore
import AirframeInspection
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("airframe on a terminal", .timeLimit(.minutes(3)))
struct TerminalProcessTests {
    @Test("JSON is formatted and coloured on a terminal, and raw in a pipe")
    func json() async throws {
        let server = try Answers.fixed(#"{"name":"Ada","age":36}"#)
        defer { server.stop() }
        let terminal = try await Program.terminal(["get", server.origin])
        #expect(
            terminal.output.replacing("\r\n", with: "\n") == """
                {
                    \u{1B}[34m"name"\u{1B}[0m: \u{1B}[32m"Ada"\u{1B}[0m,
                    \u{1B}[34m"age"\u{1B}[0m: \u{1B}[36m36\u{1B}[0m
                }

                """)
        #expect(try await Program.run(["get", server.origin]).output == #"{"name":"Ada","age":36}"#)
        let forced = try await Program.run(["get", "--pretty", "format", server.origin])
        #expect(forced.output == "{\n    \"name\": \"Ada\",\n    \"age\": 36\n}\n")
    }

    @Test("NO_COLOR takes the colours, and keeps the format")
    func noColour() async throws {
        let server = try Answers.fixed(#"{"a":1}"#)
        defer { server.stop() }
        let terminal = try await Program.terminal(["get", server.origin], environment: ["NO_COLOR": "1"])
        #expect(terminal.output == "{\r\n    \"a\": 1\r\n}\r\n")
    }

    @Test("control sequences do not reach a terminal, and do reach a pipe")
    func escapes() async throws {
        let server = try Answers.fixed("a\u{1B}[2Jb", type: "text/plain")
        defer { server.stop() }
        #expect(try await Program.terminal(["get", server.origin]).output == "a\\u{1b}[2Jb\r\n")
        #expect(try await Program.run(["get", server.origin]).output == "a\u{1B}[2Jb")
    }

    @Test("a character that arrives in two pieces is shown")
    func pieces() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5\r\n\r\na")
            for byte in [0xC3, 0xA9] as [UInt8] {
                try connection.send([byte])
                connection.pause(.milliseconds(200))
            }
            try connection.send("b\n")
        }
        defer { server.stop() }
        #expect(try await Program.terminal(["get", server.origin]).output == "a\u{E9}b\r\n")
    }

    @Test(
        "progress fits the terminal's width and is removed at the end; a pipe and --quiet show none",
        arguments: [40, 100])
    func progress(columns: Int) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n")
            for _ in 0..<4 {
                try connection.send([UInt8](repeating: 0x61, count: 100_000))
                connection.pause(.milliseconds(250))
            }
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let terminal = try await Program.terminal(["get", "-o", folder.path("a"), server.origin], columns: columns)
        let lines = terminal.output.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
        let visible = lines.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") }
        #expect(visible.contains { $0.contains("%") && $0.contains("kB") }, "\(visible)")
        #expect(visible.allSatisfy { $0.count < columns }, "\(visible)")
        #expect(visible.last == "", "the line is taken off the screen: \(visible)")
        if columns == 100 { #expect(visible.contains { $0.contains("left") && $0.contains("/s") }, "\(visible)") }
        #expect(try await Program.run(["get", "-o", folder.path("b"), server.origin]).errors.isEmpty)
        #expect(try await Program.terminal(["get", "-q", "-o", folder.path("c"), server.origin]).output.isEmpty)
    }

    @Test("a password is asked for without being shown")
    func password() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.terminal(["get", "--user", "ada", server.origin], keys: "pw\n")
        let encoded = "Basic " + Data("ada:pw".utf8).base64EncodedString()
        #expect(outcome.output.contains(encoded), "\(outcome.output)")
        #expect(outcome.output.hasPrefix("Password for ada: \r\n"), "\(outcome.output)")
    }

    @Test("an interrupt at the prompt for a password leaves the terminal with its echo")
    func interruptedPassword() async throws {
        let script = #"""
            trap : INT
            "$0" "$@"; echo "status $?"
            stty -a | tr ' ;' '\n\n' | grep -x -e echo -e -echo
            """#
        let outcome = try await Program.terminal(
            ["get", "--user", "ada", "http://127.0.0.1:1"], keys: "^C", script: script)
        #expect(outcome.output == "Password for ada: \r\nstatus 130\r\necho\r\n", "\(outcome.output)")
    }

    // MARK: Inspecting

    private func inspectable(_ count: Int) async throws -> Inspector {
        let inspector = try Inspector(.path("/tmp/airframe-test-\(UUID().uuidString.prefix(8)).sock"))
        let engine = MockTransport { Route(.get, "/**").reply(.text(#"{"a":1}"#)) }
        let session = Session(transport: engine, eventMonitors: [inspector])
        for number in 1...count {
            let request = session.request("http://api.test/\(number)?token=s3cret")
            _ = await request.serializingData().response
        }
        await inspector.flush()
        return inspector
    }

    @Test("a program's exchanges are listed in a pipe, filtered, as text and as JSON")
    func inspectInPipe() async throws {
        let inspector = try await inspectable(12)
        let path = inspector.socket.path
        let all = try await Program.run(["inspect", "--snapshot", path])
        #expect(all.output.split(separator: "\n").count == 12, "\(all.output) \(all.errors)")
        #expect(!all.output.contains("s3cret"))
        let some = try await Program.run(["inspect", "--snapshot", "--json", "--filter", "test/12", path])
        #expect(some.output.hasPrefix(#"{"method":"GET","url":"http://api.test/12?token="#), "\(some.output)")
        let none = try await Program.run(["inspect", "/no/such/socket"])
        withExtendedLifetime(inspector) {}
        #expect(none.status == 7 && none.errors.contains("hint: "), "\(none.errors)")
    }

    @Test("on a terminal exchanges are chosen, filtered, shown in full and exported by keys")
    func inspectOnTerminal() async throws {
        let inspector = try await inspectable(3)
        let folder = try Program.Folder()
        let file = folder.path("out.har")
        let outcome = try await Program.terminal(
            ["inspect", "--export", file, inspector.socket.path], keys: "k\r\u{1B}/test/2\req")
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("3 exchanges"), "\(outcome.output)")
        #expect(outcome.output.contains("filter: test/2"), "\(outcome.output)")
        #expect(outcome.output.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"), "the terminal is as it was")
        withExtendedLifetime(inspector) {}
        let archive = try folder.text("out.har")
        #expect(archive.contains("api.test/2") && !archive.contains("api.test/1"), "\(archive)")
    }
}
