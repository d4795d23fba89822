import AirframeTestSupport
import Foundation
import Testing

/// `make endure` sends a million echoes and 1 GiB; `make test` takes seconds.
@Suite("Endurance", .serialized, .timeLimit(.minutes(20)), .enabled(if: Peers.areExpected))
struct EnduranceTests {
    private static func count(_ name: String, standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    /// The value that the probe printed under a name, in KiB.
    private func memory(_ name: String, in output: String) throws -> Int {
        let line = output.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
        return try #require(line.flatMap { Int($0.dropFirst(name.count + 1)) }, "\(output)")
    }

    @Test("repeated echoes do not grow memory")
    func echoes() async throws {
        let count = Self.count("AIRFRAME_WEBSOCKET_ECHOES", standard: 10_000)
        let url = "ws://127.0.0.1:\(try Peers.required().port("hangar"))/websocket/echo"
        let outcome = try await Command.built("websocket-probe", ["echo", url, "\(count)"]).run(limit: .seconds(1_000))
        #expect(outcome.status == 0, "\(outcome.output)")
        let growth = try memory("after", in: outcome.output) - memory("before", in: outcome.output)
        if !ProcessResources.hasSanitizer { #expect(growth <= 2_048, "\(growth) KiB") }
    }

    @Test("a large message is streamed in bounded memory", arguments: ["websockets", "hangar"])
    func large(server: String) async throws {
        // The library `websockets` collects a message, 64 MiB of it at most.
        let isStreaming = server == "hangar"
        let mebibytes = isStreaming ? Self.count("AIRFRAME_WEBSOCKET_MEBIBYTES", standard: 128) : 48
        let path = isStreaming ? "/websocket/echo" : "/fragments"
        let url = "ws://127.0.0.1:\(try Peers.required().port(server))\(path)"
        let command = Command.built("websocket-probe", ["stream", url, "\(mebibytes)"])
        let outcome = try await command.run(limit: .seconds(1_000))
        #expect(outcome.status == 0, "\(outcome.output)")
        let peak = try memory("peak", in: outcome.output)
        if !ProcessResources.hasSanitizer { #expect(peak <= 64 << 10, "\(outcome.output)") }
    }

    @Test("an idle socket holds at most 8 KiB")
    func idle() async throws {
        let url = "ws://127.0.0.1:\(try Peers.required().port("hangar"))/websocket/echo"
        let outcome = try await Command.built("websocket-probe", ["idle", url, "800"]).run(limit: .seconds(60))
        #expect(outcome.status == 0, "\(outcome.output)")
        let held = try memory("idle", in: outcome.output)
        if !ProcessResources.hasSanitizer { #expect(held <= 8 << 10, "\(held) bytes") }
    }
}
