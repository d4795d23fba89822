import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe ws", .timeLimit(.minutes(1)), .enabled(if: Peers.areExpected))
struct CommandTests {
    /// Runs the command with lines on its standard input.
    private func run(_ arguments: String, input: String) async throws -> Command.RunResult {
        let tool = Command.built("airframe", []).path
        return try await Command(["/bin/sh", "-c", "printf '\(input)' | \(tool) ws \(arguments)"]).run()
    }

    @Test("lines are sent as texts, and messages are written as lines")
    func echoes() async throws {
        let url = "ws://127.0.0.1:\(try Peers.required().port("websockets"))/"
        let outcome = try await run("--protocol echo --compress --wait 1 \(url)", input: "one\\ntwo\\n")
        #expect(outcome.output == "one\ntwo\n")
        #expect(outcome.status == 0)
    }

    @Test("a server without WebSocket is reported with its status")
    func refused() async throws {
        let url = "ws://127.0.0.1:\(try Peers.required().port("http"))/static/64.bin"
        let outcome = try await run(url, input: "")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("the server declined the WebSocket with status 200 (RFC 6455 §4.2.2)"))
    }
}
