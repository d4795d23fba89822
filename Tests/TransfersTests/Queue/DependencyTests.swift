import AirframeCore
import AirframeTestSupport
import AirframeTransfers
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The dependencies of transfers", .timeLimit(.minutes(1)))
struct DependencyTests {
    /// A session whose server answers the first requests for `/first` with 404.
    private func session(failures: Int) -> Session {
        let left = Mutex(failures)
        return Session(
            transport: ClosureTransport { request in
                let fails = left.withLock { left in
                    guard request.head.path == "/first" else { return false }
                    left -= 1
                    return left >= 0
                }
                return TransportResponse(
                    head: HTTPResponse(status: fails ? .notFound : .ok), body: ResponseBody(Data("abc".utf8)),
                    request: request.head)
            })
    }

    /// Adds a transfer that fails, one that depends on it, and one that depends on the second.
    private func addChain(to queue: TransferQueue, _ folder: ScratchFolder) async throws -> [TransferID] {
        var ids: [TransferID] = []
        for name in ["first", "second", "third"] {
            let url = try #require(URL(string: "http://a.test/\(name)"))
            var description = TransferDescription.download(from: url, to: folder.file(name))
            description.dependencies = Array(ids.suffix(1))
            ids.append(try await queue.add(description))
        }
        return ids
    }

    private func states(_ queue: TransferQueue) async throws -> [TransferState] {
        try await queue.transfers().map(\.state)
    }

    @Test("transfers that failed with their dependency are retried with it")
    func retriedTogether() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session(failures: 1))
        _ = try await addChain(to: queue, folder)
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.failed, .failed, .failed])
        try await queue.retry(.all)
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.completed, .completed, .completed])
        #expect(folder.names == ["first", "second", "third"])
    }

    @Test("a transfer stays failed while its dependency is, and can be retried after it")
    func retriedAlone() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session(failures: 1))
        let ids = try await addChain(to: queue, folder)
        try await queue.runUntilIdle()
        try await queue.retry(.ids([ids[1], ids[2]]))
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.failed, .failed, .failed])
        try await queue.retry(.ids([ids[0]]))
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.completed, .failed, .failed])
        try await queue.retry(.all)
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.completed, .completed, .completed])
    }

    @Test("a transfer whose dependency was removed stays failed")
    func removed() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session(failures: 1))
        let ids = try await addChain(to: queue, folder)
        try await queue.runUntilIdle()
        try await queue.cancel(.ids([ids[0]]))
        #expect(try await queue.removeEnded(.ids([ids[0]])) == 1)
        try await queue.retry(.all)
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.failed, .failed])
    }

    @Test("a cancelled transfer stays cancelled when its dependency fails")
    func cancelled() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session(failures: 1))
        let ids = try await addChain(to: queue, folder)
        try await queue.cancel(.ids([ids[1]]))
        #expect(try await states(queue) == [.waiting, .cancelled, .failed])
        try await queue.runUntilIdle()
        #expect(try await states(queue) == [.failed, .cancelled, .failed])
    }
}
