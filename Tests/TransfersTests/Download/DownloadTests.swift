import AirframeTestSupport
import AirframeTransfers
import Foundation
import Testing

@Suite("Downloads of a queue", .timeLimit(.minutes(2)))
struct DownloadTests {
    private let content = pseudorandom(3 << 20, seed: 7)

    @Test("the file is complete at its destination, and no other file is left", arguments: TestedEngine.allCases)
    func simple(engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content)])
        let transfer = try await folder.queue(engine).finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(folder.names == ["f"])
        #expect(transfer.metrics.receivedBytes == content.count)
        #expect(transfer.completedBytes == content.count && transfer.totalBytes == Int64(content.count))
    }

    @Test("empty files and files of unknown length are downloaded", arguments: TestedEngine.allCases)
    func lengths(engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer([
            "/empty": ServedFile(content: Data()),
            "/unknown": ServedFile(content: content, tag: nil, hidesLength: true),
        ])
        let queue = try await folder.queue(engine)
        for name in ["empty", "unknown"] {
            let transfer = try await queue.finish(
                .download(from: server.url("/\(name)"), to: folder.file(name)).downloading { $0.segments = 4 })
            #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        }
        #expect(try Data(contentsOf: folder.file("empty")).isEmpty)
        #expect(try Data(contentsOf: folder.file("unknown")) == content)
    }

    @Test("a failed download continues where it stopped (RFC 9110 §14.2)", arguments: TestedEngine.allCases)
    func resumed(engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content, cut: 1 << 20, cuts: 2)])
        let transfer = try await folder.queue(engine).finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(server.requests.count == 3)
        #expect(server.requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" })
        // A reset can drop what was in flight, so that this much is fetched again.
        #expect(server.sentBytes < content.count + (2 << 20))
    }

    @Test(
        "without a validator a broken download restarts, unless a hash verifies the whole (RFC 9110 §15.3.7.3)",
        arguments: [false, true])
    func unidentified(hasChecksum: Bool) async throws {
        let folder = try ScratchFolder()
        let other = pseudorandom(content.count, seed: 10)
        var file = ServedFile(content: content, tag: nil, cut: 1 << 20, cuts: 1, rate: 16 << 20)
        if !hasChecksum {
            file.before = { _, file in
                if file.cuts == 0 { file.content = other }
            }
        }
        let server = try RangeServer(["/f": file])
        let checksum = hasChecksum ? Sum.sha256(of: content) : nil
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.checksum = checksum })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == (hasChecksum ? content : other))
        #expect(server.ranges.isEmpty != hasChecksum)
    }

    @Test("a server that honours ranges only sometimes does not cause endless requests: the download restarts")
    func fickleRanges() async throws {
        let folder = try ScratchFolder()
        var file = ServedFile(content: content, rate: 8 << 20)
        // The response to the first range breaks off. Later ranges are ignored.
        file.before = { head, file in
            guard head["Range"] != nil else { return }
            if file.cut == nil {
                (file.cut, file.cuts) = (100_000, 1)
            } else {
                file.ignoresRanges = true
            }
        }
        let server = try RangeServer(["/f": file])
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = 2 })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(server.requests.count < 10)
    }

    @Test("segments are fetched concurrently, and the file is complete", arguments: TestedEngine.allCases)
    func segments(engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content, rate: 4 << 20)])
        let transfer = try await folder.queue(engine).finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = 4 })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(server.mostActive >= 3)
        #expect(folder.names == ["f"])
    }

    @Test("a range of a representation whose length is unknown is not taken for its rest (RFC 9110 §14.4)")
    func partOfRest() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer([
            "/f": ServedFile(
                content: content, cut: 1 << 20, cuts: 1, rate: 16 << 20, hidesLength: true, hidesTotal: true,
                longestRange: 100_000)
        ])
        let transfer = try await folder.queue().finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(server.ranges.count == 1)
        #expect(try Data(contentsOf: folder.file("f")) == content)
    }

    /// Faults and variations of a server of four segments.
    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: ServedFile
        var state = TransferState.completed
    }

    static let misbehaviours = [
        Misbehaviour(
            testDescription: "ranges are ignored", file: ServedFile(content: Data(), ignoresRanges: true)),
        Misbehaviour(testDescription: "no validator", file: ServedFile(content: Data(), tag: nil)),
        Misbehaviour(testDescription: "a weak validator", file: ServedFile(content: Data(), tag: "W/\"v1\"")),
        Misbehaviour(
            testDescription: "two connections are all that the server bears",
            file: ServedFile(content: Data(), rate: 8 << 20, concurrency: 2)),
        Misbehaviour(
            testDescription: "every second connection breaks off",
            file: ServedFile(content: Data(), cut: 700 << 10, cuts: 3)),
        Misbehaviour(
            testDescription: "the length in Content-Range is another one",
            file: ServedFile(content: Data(), lengthError: 1),
            state: .failed),
    ]

    @Test("the file is correct or absent", arguments: misbehaviours, TestedEngine.allCases)
    func misbehaviour(_ misbehaviour: Misbehaviour, engine: TestedEngine) async throws {
        let folder = try ScratchFolder()
        var file = misbehaviour.file
        file.content = content
        let server = try RangeServer(["/f": file])
        let queue = try await folder.queue(engine)
        let transfer = try await queue.finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = 4 })
        #expect(transfer.state == misbehaviour.state, "\(transfer.error ?? "")")
        if misbehaviour.state == .completed {
            #expect(try Data(contentsOf: folder.file("f")) == content)
        } else {
            try await queue.cancel(.all)
        }
        #expect(folder.names == (misbehaviour.state == .completed ? ["f"] : []))
    }

    @Test("a representation that changes between segments is downloaded again from one version")
    func changed() async throws {
        let folder = try ScratchFolder()
        let other = pseudorandom(3 << 20, seed: 8)
        var file = ServedFile(content: content, rate: 8 << 20)
        file.before = { head, file in
            guard head["Range"] != nil, file.tag == "\"v1\"" else { return }
            file.content = other
            file.tag = "\"v2\""
        }
        let server = try RangeServer(["/f": file])
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.segments = 4 })
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == other)
    }

    @Test("416 for the rest restarts the download: the file has become shorter")
    func shorter() async throws {
        let folder = try ScratchFolder()
        let short = pseudorandom(1000, seed: 9)
        var file = ServedFile(content: content, cut: 1 << 20, cuts: 1)
        file.before = { head, file in
            if head["Range"] != nil { file.content = short }
        }
        let server = try RangeServer(["/f": file])
        let transfer = try await folder.queue().finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        #expect(try Data(contentsOf: folder.file("f")) == short)
    }

    @Test("an existing file fails the transfer or is replaced", arguments: [false, true])
    func inTheWay(replaces: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content)])
        _ = try folder.file("f", Data("old".utf8))
        let transfer = try await folder.queue().finish(
            .download(from: server.url("/f"), to: folder.file("f")).downloading { $0.replacesFile = replaces })
        #expect(transfer.state == (replaces ? .completed : .failed))
        #expect(try Data(contentsOf: folder.file("f")) == (replaces ? content : Data("old".utf8)))
        #expect(replaces || transfer.error?.contains("already exists") == true)
        #expect(folder.names == ["f"])
    }

    @Test("a download that does not fit on the disk fails before its content is requested again")
    func noSpace() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer([
            "/f": ServedFile(content: Data(), fields: ["Content-Length": "4611686018427387904"])
        ])
        server.change("/f") { $0.hidesLength = true }
        let transfer = try await folder.queue().finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .failed)
        #expect(transfer.error?.contains("bytes left") == true, "\(transfer.error ?? "")")
        #expect(transfer.attempts == 1)
    }

    @Test("permanent statuses fail immediately, others are retried", arguments: [(404, 1), (503, 4)])
    func statuses(status: Int, attempts: Int) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: Data(), status: status)])
        let transfer = try await folder.queue().finish(.download(from: server.url("/f"), to: folder.file("f")))
        #expect(transfer.state == .failed)
        #expect(transfer.attempts == attempts)
        #expect(transfer.error?.contains("\(status)") == true)
    }
}
