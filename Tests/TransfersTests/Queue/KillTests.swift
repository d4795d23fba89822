import AirframeTestSupport
import AirframeTransfers
import Foundation
import Glibc
import Testing

@Suite("Killed processes", .timeLimit(.minutes(30)))
struct KillTests {
    /// How often the process is killed: a thousand times with `make endure`.
    static let kills = ProcessInfo.processInfo.environment["AIRFRAME_TRANSFER_KILLS"].flatMap { Int($0) } ?? 12

    private static let count = 100
    /// The bytes of a file. A process receives at least one piece of 64 KiB in its life, so that many kills need
    /// larger files.
    private static let size = max(96, kills) << 10

    @Test(
        "every byte of every file is right in the end, nothing that a server had is sent again, no file is left behind")
    func killed() async throws {
        let folder = try ScratchFolder()
        let contents = (0..<Self.count).map { pseudorandom(Self.size + $0, seed: UInt64($0) + 100) }
        let downloads = try RangeServer(
            Dictionary(
                uniqueKeysWithValues: (0..<Self.count).map { number in
                    ("/\(number)", ServedFile(content: contents[number], tag: "\"\(number)\""))
                }))
        let (draft, tus) = (try UploadServer(.draft(6)), try UploadServer(.tus))
        let queue = try await folder.queue()
        var descriptions: [TransferDescription] = []
        for (number, content) in contents.enumerated() {
            switch number % 4 {
            case 0: descriptions.append(.upload(try folder.file("u\(number)", content), to: draft.url))
            case 1: descriptions.append(.upload(try folder.file("u\(number)", content), to: tus.url, using: .tus()))
            default:
                descriptions.append(
                    .download(from: downloads.url("/\(number)"), to: folder.file("d\(number)"))
                        .downloading { $0.segments = number % 3 + 1 })
            }
            descriptions[number].conditions.requiresConnectivity = false
            descriptions[number].retry = TransferRetryRule(attempts: 1000, delay: 0.001, longestDelay: 0.01)
        }
        try await queue.add(contentsOf: descriptions)
        let total = Int64(contents.reduce(0) { $0 + $1.count })
        var killsDuringTransfers = 0
        for number in 0..<Self.kills {
            // So slow that the last kill still meets open transfers.
            let left = total - (try await queue.currentProgress().completedBytes)
            let process = try start(folder, rate: max(20_000, Int(left) / (Self.kills - number) * 3))
            usleep(UInt32.random(in: 60_000...500_000))
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            if try await queue.transfers(in: [.completed]).count < Self.count { killsDuringTransfers += 1 }
        }
        print("\(Self.kills) kills, \(killsDuringTransfers) of them while transfers were open")
        #expect(killsDuringTransfers * 10 >= Self.kills * 9)
        let outcome = try await Command.built("queue-probe", [folder.file("queue.db").path, "0"]).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        try check(folder, contents, draft, tus)
        #expect(try await queue.transfers(in: [.completed]).count == Self.count)
    }

    private func start(_ folder: ScratchFolder, rate: Int) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: Command.built("queue-probe", []).path)
        process.arguments = [folder.file("queue.db").path, "\(rate)"]
        try process.run()
        return process
    }

    private func check(
        _ folder: ScratchFolder,
        _ contents: [Data],
        _ draft: UploadServer,
        _ tus: UploadServer
    ) throws {
        var names: Set<String> = []
        for (number, content) in contents.enumerated() {
            names.insert(number % 4 < 2 ? "u\(number)" : "d\(number)")
            guard number % 4 >= 2 else { continue }
            #expect(try Data(contentsOf: folder.file("d\(number)")) == content, "d\(number)")
        }
        #expect(Set(folder.names) == names)
        for (server, rest) in [(draft, 0), (tus, 1)] {
            let expected = contents.enumerated().filter { $0.offset % 4 == rest }.map(\.element)
            #expect(Set(server.contents) == Set(expected))
            #expect(server.contents.count == expected.count)
            // A server refuses content that it has (409), and an offset that is asked for is never refused here.
            #expect(server.state.conflicts == 0)
        }
    }
}
