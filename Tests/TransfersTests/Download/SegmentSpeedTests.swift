import AirframeTransfers
import Foundation
import Testing

@Suite("The speed of segments", .timeLimit(.minutes(1)))
struct SegmentSpeedTests {
    private let content = pseudorandom(4 << 20, seed: 11)

    /// The time of a download whose connections are limited to 2 MiB per second each.
    private func time(segments: Int) async throws -> Duration {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content, rate: 2 << 20)])
        let queue = try await folder.queue { $0.checkpointSeconds = 1 }
        try await queue.add(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = segments })
        let time = try await ContinuousClock().measure { try await queue.runUntilIdle() }
        #expect(try Data(contentsOf: folder.file("f")) == content)
        return time
    }

    @Test("over links that limit each connection, four segments take about a quarter of the time")
    func limited() async throws {
        let (one, four) = (try await time(segments: 1), try await time(segments: 4))
        print("4 MiB at 2 MiB/s for each connection: one segment \(one), four \(four)")
        #expect(four < one * 0.5)
    }

    @Test("a segment on a slow connection is split, so that it does not delay the end")
    func slow() async throws {
        let folder = try ScratchFolder()
        var file = ServedFile(content: content, rate: 8 << 20)
        // The first connection is a fiftieth as fast as the others.
        file.before = { head, file in file.rate = head["Range"] == nil ? 160 << 10 : 8 << 20 }
        let server = try RangeServer(["/f": file])
        let queue = try await folder.queue { $0.checkpointSeconds = 1 }
        try await queue.add(.download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = 3 })
        let time = try await ContinuousClock().measure { try await queue.runUntilIdle() }
        #expect(try Data(contentsOf: folder.file("f")) == content)
        // Unsplit, half of the file would take 13 seconds on the slow connection.
        #expect(time < .seconds(8), "\(time)")
    }
}
