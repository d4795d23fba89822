import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransfers
import Foundation
import Testing

@Suite("Uploads to a real tus server", .timeLimit(.minutes(2)), .enabled(if: Peers.areExpected))
struct PeerUploadTests {
    private let content = pseudorandom(4 << 20, seed: 9)

    private func origin() throws -> String { "http://127.0.0.1:\(try Peers.required().port("tus"))" }

    /// tuspyserver answers HEAD with 400 for an upload without both keys.
    private func metadata(_ name: String) -> [String: String] {
        ["filename": name, "filetype": "application/octet-stream"]
    }

    /// The SHA-256 that the server computed of an upload.
    private func digest(_ name: String, _ engine: TestedEngine) async throws -> TransferChecksum? {
        let url = try origin() + "/digests/\(name)"
        return TransferChecksum(try await engine.session().request(url).validate().serializingString().value)
    }

    @Test(
        "an upload that is stopped resumes, in one part and in parts that the server concatenates",
        arguments: TestedEngine.allCases, [1, 3])
    func resumed(engine: TestedEngine, parts: Int) async throws {
        let folder = try ScratchFolder()
        let name = "\(engine)-\(parts)-\(UUID().uuidString)"
        let file = try folder.file("f", content)
        let queue = try await folder.queue(engine) { $0.bytesPerSecond = 8 << 20 }
        await queue.start()
        let url = try #require(URL(string: try origin() + "/files/"))
        let options = TusOptions(metadata: metadata(name), pieceLength: 256 << 10, parallelParts: parts)
        let id = try await queue.add(.upload(file, to: url, using: .tus(options)).impatient())
        for await progress in queue.progress(of: .ids([id]), every: .milliseconds(1))
        where progress.completedBytes > 512 << 10 || progress.isFinished { break }
        await queue.stop()
        #expect(try await queue.transfer(id)?.state == .waiting)
        try await queue.runUntilIdle()
        let transfer = try #require(try await queue.transfer(id))
        #expect(transfer.state == .completed, "\(transfer.error ?? "")")
        // Pieces in flight when the queue stopped are sent again: at most one for each part.
        #expect(transfer.metrics.sentBytes <= Int64(content.count + parts * 256 << 10))
        #expect(try await digest(name, engine) == Sum.sha256(of: content))
    }

    /// How many uploads the server has under a name.
    private func count(_ name: String) async throws -> String {
        let url = try origin() + "/uploads/\(name)"
        return try await TestedEngine.sockets.session().request(url).validate().serializingString().value
    }

    @Test("cancelling a stopped upload removes it from the server (extension termination)")
    func cancelled() async throws {
        let folder = try ScratchFolder()
        let name = UUID().uuidString
        let queue = try await folder.queue { $0.bytesPerSecond = 1 << 20 }
        await queue.start()
        let url = try #require(URL(string: try origin() + "/files/"))
        let id = try await queue.add(
            .upload(
                try folder.file("f", content), to: url,
                using: .tus(TusOptions(metadata: metadata(name), pieceLength: 128 << 10))))
        for await progress in queue.progress(of: .ids([id]), every: .milliseconds(1))
        where progress.completedBytes > 256 << 10 || progress.isFinished { break }
        await queue.stop()
        #expect(try await count(name) == "1")
        try await queue.cancel(.ids([id]))
        #expect(try await queue.transfer(id)?.state == .cancelled)
        #expect(try await count(name) == "0")
    }
}
