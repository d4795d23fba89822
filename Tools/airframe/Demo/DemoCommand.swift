import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// What Airframe does: commands with their output, then scenes over each engine, each of which is checked.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show what Airframe does, over each engine, against the local test server.",
        discussion: "`make demo` starts the server and this command. Exit status 1 when a scene fails."
    )

    @Option(help: "The file that describes the running servers.", completion: .file()) var peers: String?
    @Option(help: "The engine; both without it.") var engine: ConnectionOptions.Engine?
    @Flag(help: "Play the scenes alone, without the commands.") var scenes = false

    private var style: TextStyle { Terminal.output.style }

    func run() async throws {
        guard let path = peers ?? ProcessInfo.processInfo.environment["AIRFRAME_PEERS"] else {
            throw CommandFailure(
                "no server runs", hint: "run `make demo`, or name the servers' description with --peers", status: .usage
            )
        }
        let servers = try DemoServers(describedAt: path)
        try write("\(style.paint("Airframe \(AFInfo.version)", .bold)), an HTTP client for Swift on Linux\n")
        if !scenes {
            try write("\n\(style.paint("The command line", .bold))\n")
            try Tour(servers, style: style).run()
        }
        let engines = engine.map { [$0] } ?? [.sockets, .curl]
        let columns = engines.map { $0.rawValue.aligned(to: 12) }.joined()
        try write("\n\(style.paint("The library".padded(to: 36) + columns, .bold))\n")
        let start = ContinuousClock.now
        var failures = 0
        let players = engines.map { DemoServer(servers, engine: $0) }
        for scene in Scene.all {
            let plays = await play(scene, on: players)
            failures += plays.count { $0.failure != nil }
            try write(line(scene, plays))
        }
        let total = Quantities.milliseconds(start.duration(to: .now) / .milliseconds(1))
        try write("\n\(Scene.all.count) scenes over \(engines.count) engines in \(total), \(failures) failed\n")
        if failures > 0 { throw ExitCode.failure }
    }

    /// The result of a scene on one engine; without a duration it was not played.
    private struct Play {
        var milliseconds: Double?
        var result = ""
        var failure: String?
    }

    private func play(_ scene: Scene, on players: [DemoServer]) async -> [Play] {
        var plays: [Play] = []
        for player in players {
            guard scene.engines.contains(player.engine) else {
                plays.append(Play())
                continue
            }
            let start = ContinuousClock.now
            var play = Play()
            do { play.result = try await scene.play(player) } catch { play.failure = "\(player.engine): \(error)" }
            play.milliseconds = start.duration(to: .now) / .milliseconds(1)
            plays.append(play)
        }
        return plays
    }

    private func line(_ scene: Scene, _ plays: [Play]) -> String {
        let failure = plays.lazy.compactMap(\.failure).first
        let mark = failure == nil ? (style.usesUnicode ? "✔" : "+") : (style.usesUnicode ? "✘" : "!")
        let times = plays.map { ($0.milliseconds.map(Quantities.milliseconds) ?? "-").aligned(to: 12) }.joined()
        let words = failure ?? plays.first { !$0.result.isEmpty }?.result ?? ""
        let room = max(20, Terminal.output.isTerminal ? Terminal.output.size.columns - 38 - times.count : .max)
        return "\(style.paint(mark, failure == nil ? .string : .failure)) \(scene.title.padded(to: 34))"
            + "\(times)  \(style.paint(words.truncated(to: room, style), .dim))\n"
    }

    private func write(_ text: String) throws { try StandardOutput.write(text) }
}
