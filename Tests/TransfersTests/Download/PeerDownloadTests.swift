import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransfers
import Foundation
import Testing

@Suite("Downloads from real servers", .timeLimit(.minutes(2)), .enabled(if: Peers.areExpected))
struct PeerDownloadTests {
    /// A server and a file of it.
    static let files = [("http", "/static/1m.bin"), ("apache", "/open/4m")]

    @Test(
        "a download in segments that was stopped and resumed equals the server's file", arguments: files,
        TestedEngine.allCases)
    func segments(file: (server: String, path: String), engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        let url = try #require(URL(string: try Peers.required().http(file.server) + file.path))
        let whole = try await engine.session().download(url).serializingData().value
        let queue = try await folder.queue(engine) { $0.bytesPerSecond = 16 << 20 }
        await queue.start()
        let id = try await queue.add(
            .download(from: url, to: folder.file("f")).impatient().downloading { $0.segments = 4 })
        for await progress in queue.progress(of: .ids([id]), every: .milliseconds(1))
        where progress.completedBytes > 0 || progress.isFinished { break }
        await queue.stop()
        try await queue.runUntilIdle()
        let transfer = try #require(try await queue.transfer(id))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == whole)
        #expect(folder.names == ["f"])
    }
}
