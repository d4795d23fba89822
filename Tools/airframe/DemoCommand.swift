import Airframe
import ArgumentParser
import Foundation

/// What Airframe does, scene by scene, against a local server; each scene is checked.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play the scenes of everyday HTTP against the local test server, and check each.",
        discussion: "`make demo` starts the server and this command. Exit status 1 when a scene fails."
    )

    @Option(help: "The file that describes the running servers.") var peers: String?

    func run() async throws {
        guard let path = peers ?? ProcessInfo.processInfo.environment["AIRFRAME_PEERS"] else {
            throw ValidationError("no server: run `make demo`, or name the servers' description with --peers")
        }
        let server = try DemoServer(describedAt: path)
        print("Airframe \(AFInfo.version) on \(server.engine)\n")
        var failures = 0
        let start = ContinuousClock.now
        for scene in Scene.all {
            if await !play(scene, on: server) { failures += 1 }
        }
        let total = milliseconds(ContinuousClock.now - start)
        print("\n\(Scene.all.count - failures) of \(Scene.all.count) scenes passed in \(total)")
        if failures > 0 { throw ExitCode.failure }
    }

    private func play(_ scene: Scene, on server: DemoServer) async -> Bool {
        let start = ContinuousClock.now
        do {
            let result = try await scene.play(server)
            print(
                "✔ \(scene.title.padded(to: 34)) \(milliseconds(ContinuousClock.now - start).padded(to: 11)) \(result)")
            return true
        } catch {
            print(
                "✘ \(scene.title.padded(to: 34)) \(milliseconds(ContinuousClock.now - start).padded(to: 11)) \(error)")
            return false
        }
    }

    private func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return String(format: "%.1f ms", Double(seconds) * 1e3 + Double(attoseconds) * 1e-15)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
