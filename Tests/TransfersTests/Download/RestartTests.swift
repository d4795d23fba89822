import AirframeTestSupport
import Foundation
import Testing

@testable import AirframeTransfers

@Suite("The temporary file and its checkpoint", .timeLimit(.minutes(1)))
struct RestartTests {
    private let content = pseudorandom(3 << 20, seed: 11)

    private func part(in folder: ScratchFolder) throws -> URL {
        folder.file(try #require(folder.names.first { $0.hasSuffix(".part") }, "\(folder.names)"))
    }

    @Test(
        "bytes are removed only after the checkpoint that describes them: a process may be killed in between",
        arguments: [true, false])
    func order(isRestart: Bool) async throws {
        let folder = try ScratchFolder()
        var file = ServedFile(content: content)
        if isRestart {
            // The second response is the whole, with the same validator.
            (file.cut, file.cuts, file.rate) = (1 << 20, 1, 16 << 20)
            file.before = { head, file in file.ignoresRanges = head["Range"] != nil }
        }
        let server = try RangeServer(["/f": file])
        let queue = try await folder.queue()
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run(
            """
            CREATE TRIGGER fault BEFORE UPDATE ON transfers WHEN NEW.completed < OLD.completed \
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
        let id = try await queue.add(
            .download(from: server.url("/f"), to: folder.file("f")).impatient().downloading {
                $0.segments = 1
                if !isRestart { $0.checksum = Sum.sha256(of: Data("other".utf8)) }
            })
        await #expect(throws: TransferError.self) { try await queue.runUntilIdle() }
        let completed = Int(try #require(try await queue.transfer(id)).completedBytes)
        #expect(completed > 0)
        #expect(try Data(contentsOf: part(in: folder)).prefix(completed) == content.prefix(completed))
    }

    @Test("a new temporary file with the inode number of a removed one is not taken for it")
    func reusedNumber() async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content, cut: 1 << 20, cuts: 1, rate: 16 << 20)])
        let queue = try await folder.queue()
        let id = try await queue.add(
            .download(from: server.url("/f"), to: folder.file("f")).impatient(attempts: 1))
        try await queue.runUntilIdle()
        let failed = try #require(try await queue.transfer(id))
        #expect(failed.state == .failed && failed.completedBytes > 0)
        try FileHandle(forWritingTo: part(in: folder)).truncate(atOffset: 0)
        try await queue.retry(.all)
        try await queue.runUntilIdle()
        #expect(try await queue.transfer(id)?.state == .completed)
        #expect(try Data(contentsOf: folder.file("f")) == content)
    }

    @Test("an empty temporary file is not placed, whatever its checkpoint claims", arguments: [true, false])
    func emptyFile(isVerified: Bool) async throws {
        let folder = try ScratchFolder()
        let server = try RangeServer(["/f": ServedFile(content: content)])
        let (queue, url, destination) = (try await folder.queue(), server.url("/f"), folder.file("f"))
        let id = try await queue.add(.download(from: url, to: destination).impatient())
        let part = try PartFile(path: PartFile.path(for: destination.path, id, in: queue.store.identifier))
        var checkpoint = DownloadCheckpoint(source: url, inode: part.inode)
        var map = SegmentMap(total: Int64(content.count))
        map.advance(segmentAt: 0, to: Int64(content.count))
        checkpoint.map = map
        checkpoint.isVerified = isVerified
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run(
            "UPDATE transfers SET checkpoint = ? WHERE id = ?", .optional(checkpoint.encoded), .integer(id.rawValue))
        try await queue.runUntilIdle()
        #expect(try await queue.transfer(id)?.state == .completed)
        #expect(try Data(contentsOf: destination) == content)
    }
}
