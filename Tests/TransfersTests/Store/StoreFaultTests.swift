import AirframeCore
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeTransfers

@Suite("A queue whose file cannot be written for a while", .timeLimit(.minutes(1)))
struct StoreFaultTests {
    private let session = Session(
        transport: ClosureTransport { request in
            TransportResponse(
                head: HTTPResponse(status: .ok), body: ResponseBody(Data("abc".utf8)), request: request.head)
        })

    private func description(_ folder: ScratchFolder) throws -> TransferDescription {
        .download(from: try #require(URL(string: "http://a.test/f")), to: folder.file("f"))
    }

    /// Lets every transaction fail that gives a transfer a state.
    ///
    /// - Returns: The connection, whose trigger causes the failures.
    private func fault(at state: TransferState, in folder: ScratchFolder) throws -> SQLiteConnection {
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run(
            """
            CREATE TRIGGER fault BEFORE UPDATE ON transfers WHEN NEW.state = \(state.rawValue) \
            BEGIN SELECT RAISE(ABORT, 'the disk is full'); END
            """)
        return database
    }

    @Test("an end that cannot be stored fails the run, and the next run stores it")
    func nextRun() async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session)
        let id = try await queue.add(try description(folder))
        let database = try fault(at: .completed, in: folder)
        await #expect(throws: TransferError.self) { try await queue.runUntilIdle() }
        try database.run("DROP TRIGGER fault")
        try await queue.runUntilIdle()
        let transfer = try #require(try await queue.transfer(id))
        #expect(transfer.state == .completed)
        #expect(transfer.attempts == 1)
    }

    @Test("a started queue continues", arguments: [TransferState.running, .completed])
    func started(state: TransferState) async throws {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session)
        let database = try fault(at: state, in: folder)
        await queue.start()
        let id = try await queue.add(try description(folder))
        try await Task.sleep(for: .milliseconds(200))
        try database.run("DROP TRIGGER fault")
        while try await queue.transfer(id)?.state != .completed { try await Task.sleep(for: .milliseconds(5)) }
        await queue.stop()
        #expect(folder.names == ["f"])
    }
}
