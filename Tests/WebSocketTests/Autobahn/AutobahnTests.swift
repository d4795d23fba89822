import AirframeTestSupport
import Foundation
import Testing

/// Cases 1 to 7 and 10 of Autobahn's suite. `Tools/scripts/autobahn all` plays those of 9 too.
@Suite("Autobahn's suite", .serialized, .timeLimit(.minutes(5)), .enabled(if: isAutobahnInstalled))
struct AutobahnTests {
    @Test("every core case is strictly OK", arguments: [[], ["--tls"], ["--bytes"]] as [[String]])
    func core(options: [String]) async throws {
        let probe = Command.built("websocket-probe", []).path
        let script = repositoryRoot.appending(path: "Tools/scripts/autobahn").path
        let outcome = try await Command([script] + options + ["--probe", probe, "core"]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.hasSuffix("247 of 247 cases strictly OK\n"))
    }
}

private let repositoryRoot = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// Whether the suite is there: it needs Python 2.7.
private let isAutobahnInstalled =
    FileManager.default.fileExists(
        atPath: repositoryRoot.appending(path: ".build/peers/autobahn/installed.txt").path)
    && Peers.areExpected
