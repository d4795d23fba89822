import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe as a program", .timeLimit(.minutes(2)))
struct GetCommandTests {
    /// A server that answers every request with `response`.
    private func server(_ response: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            try connection.readHead()
            try connection.send(response)
        }
    }

    private func get(_ arguments: [String]) async throws -> Command.RunResult {
        try await Command.built("airframe", ["get"] + arguments).run(environment: ["NO_PROXY": "*"])
    }

    @Test(
        "an invalid number of seconds is rejected, and the error names the option",
        arguments: [["get", "--max-time"], ["get", "--retry-offline"], ["trust", "--max-time"]],
        ["inf", "nan", "1e40", "-1"]
    )
    func seconds(option: [String], value: String) async throws {
        let words = [option[0], "\(option[1])=\(value)", "http://127.0.0.1:1/"]
        let outcome = try await Command.built("airframe", words).run()
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.output.contains(option[1]), "\(outcome.output)")
    }

    @Test(
        "no time at all is refused, and a number of retries that is none",
        arguments: ["--max-time=0", "--retry=1e40", "--retry=-1"])
    func otherNumbers(argument: String) async throws {
        let outcome = try await get([argument, "http://127.0.0.1:1/"])
        #expect(outcome.status == 64, "\(outcome.output)")
        #expect(outcome.output.contains(argument.prefix { $0 != "=" }), "\(outcome.output)")
    }

    @Test("in a pipe the head comes before the body", arguments: ["curl", "sockets"])
    func order(engine: String) async throws {
        let server = try server(
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nhello\n")
        defer { server.stop() }
        let outcome = try await get(["-i", "--engine", engine, server.origin])
        #expect(
            outcome.output == """
                HTTP/1.1 200 OK
                Content-Length: 6
                Set-Cookie: a=1
                Set-Cookie: b=2

                hello

                """)
    }

    @Test(
        "the status line has the server's own phrase, or the standard one",
        arguments: [
            ("200 Fine", "HTTP/1.1 200 Fine"), ("200 ", "HTTP/1.1 200 OK"), ("404 ", "HTTP/1.1 404 Not Found"),
            ("299 ", "HTTP/1.1 299 "),
        ]
    )
    func statusLine(sent: String, shown: String) async throws {
        let server = try server("HTTP/1.1 \(sent)\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let outcome = try await get(["-i", server.origin])
        #expect(outcome.output.split(separator: "\n").first.map(String.init) == shown, "\(outcome.output)")
    }

    @Test("a file that is written has the mode that the umask gives", arguments: ["022", "027", "077", "000"])
    func mode(mask: String) async throws {
        let server = try server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        defer { server.stop() }
        let file = try ScratchFile()
        let program = Command.built("airframe", []).path
        let script = "umask \(mask); \"$0\" get -o \"$1\" \"$2\" && stat -c %a \"$1\""
        let outcome = try await Command(["/bin/sh", "-c", script, program, file.url.path, server.origin])
            .run(environment: ["NO_PROXY": "*"])
        let bits = try #require(Int(mask, radix: 8))
        #expect(outcome.output == String(0o666 & ~bits, radix: 8) + "\n")
    }

    @Test("--max-time covers retries and the waits between them")
    func maximumTime() async throws {
        // The server closes without an answer, which is retried.
        let server = try server("")
        defer { server.stop() }
        let start = ContinuousClock.now
        // Waits of half a second, one, two, four: without the limit it would take minutes.
        let outcome = try await get(["--max-time", "1", "--retry", "10", server.origin])
        #expect(outcome.status == 28 || outcome.status == 56, "\(outcome.output)")
        #expect(server.connections.count > 1, "it is retried")
        #expect(ContinuousClock.now - start >= .milliseconds(450))
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
