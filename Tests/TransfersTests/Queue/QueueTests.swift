import AirframeCore
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeTransfers

@Suite("A queue of transfers", .timeLimit(.minutes(2)))
struct QueueTests {
    /// A session whose server answers with the path, and keeps the order of the requests.
    private final class Server: Sendable {
        // Guards the paths that were asked for, and how many requests are open.
        private let state = Mutex((paths: [String](), active: 0, most: 0))
        let delay: Duration

        init(delay: Duration = .zero) { self.delay = delay }

        var paths: [String] { state.withLock { $0.paths } }
        var most: Int { state.withLock { $0.most } }

        var session: Session {
            let delay = delay
            return Session(
                transport: ClosureTransport { [self] request in
                    let path = request.head.path ?? ""
                    state.withLock { state in
                        state.paths.append(path)
                        state.active += 1
                        state.most = max(state.most, state.active)
                    }
                    if delay > .zero { try? await Task.sleep(for: delay) }
                    state.withLock { $0.active -= 1 }
                    let content = Data((path + (request.head.headerFields[.authorization] ?? "")).utf8)
                    let fields: HTTPFields = [.contentLength: "\(content.count)"]
                    return TransportResponse(
                        head: HTTPResponse(status: path.contains("404") ? .notFound : .ok, headerFields: fields),
                        body: ResponseBody(content), request: request.head)
                })
        }
    }

    private func download(_ name: String, _ folder: ScratchFolder, host: String = "a.test") throws
        -> TransferDescription
    {
        .download(from: try #require(URL(string: "http://\(host)/\(name)")), to: folder.file(name)).impatient()
    }

    private func one(_ configuration: inout TransferQueue.Configuration) { configuration.concurrentTransfers = 1 }

    @Test("transfers start by priority, then in the order in which they were added; priorities can change")
    func priorities() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session, one)
        var ids: [TransferID] = []
        for (name, priority) in [("a", 0), ("b", 5), ("c", 0), ("d", -1)] {
            var description = try download(name, folder)
            description.priority = priority
            ids.append(try await queue.add(description))
        }
        try await queue.setPriority(9, of: .ids([ids[3]]))
        try await queue.runUntilIdle()
        #expect(server.paths == ["/d", "/b", "/a", "/c"])
    }

    @Test("limits hold for all, for a host and for a tag")
    func limits() async throws {
        for (host, tag, most) in [(8, 8, 3), (2, 8, 2), (8, 1, 1)] {
            let (folder, server) = (try ScratchFolder(), Server(delay: .milliseconds(80)))
            let queue = try await folder.queue(on: server.session) {
                $0.concurrentTransfers = 3
                $0.concurrentTransfersPerHost = host
                $0.concurrentTransfersPerTag = ["t": tag]
            }
            for number in 0..<6 {
                var description = try download("\(number)", folder)
                description.tags = ["t"]
                try await queue.add(description)
            }
            try await queue.runUntilIdle()
            #expect(server.most == most)
            #expect(try await queue.transfers(in: [.completed]).count == 6)
        }
    }

    @Test("a busy host does not delay another one")
    func hosts() async throws {
        let (folder, server) = (try ScratchFolder(), Server(delay: .milliseconds(5)))
        let queue = try await folder.queue(on: server.session) {
            $0.concurrentTransfers = 2
            $0.concurrentTransfersPerHost = 1
        }
        for (name, host) in [("a", "a.test"), ("b", "a.test"), ("c", "b.test")] {
            try await queue.add(try download(name, folder, host: host))
        }
        try await queue.runUntilIdle()
        #expect(Set(server.paths.prefix(2)) == ["/a", "/c"])
    }

    @Test("a transfer waits for its dependencies and fails with them")
    func dependencies() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session)
        let first = try await queue.add(try download("a", folder))
        let failing = try await queue.add(try download("404", folder))
        var dependent = try download("b", folder)
        dependent.priority = 9
        dependent.dependencies = [first]
        try await queue.add(dependent)
        var hopeless = try download("c", folder)
        hopeless.dependencies = [failing, first]
        let id = try await queue.add(hopeless)
        var next = try download("d", folder)
        next.dependencies = [id]
        try await queue.add(next)
        try await queue.runUntilIdle()
        #expect(try await queue.transfers().map(\.state) == [.completed, .failed, .completed, .failed, .failed])
        #expect(server.paths.firstIndex(of: "/a") ?? 9 < server.paths.firstIndex(of: "/b") ?? 0)
        #expect(!server.paths.contains("/c"))
        #expect(try await queue.transfer(id)?.error?.contains("transfer \(failing)") == true)
        var unknown = try download("e", folder)
        unknown.dependencies = [TransferID(rawValue: 99)]
        let refused = unknown
        await #expect(throws: TransferError.self) { try await queue.add(refused) }
    }

    @Test("secrets are not stored; the provider supplies them before each attempt")
    func secrets() async throws {
        struct Provider: TransferSecrets {
            func headers(for description: TransferDescription) async throws -> HTTPHeaders {
                [.authorization(bearerToken: "secret-\(description.tags.sorted().joined())")]
            }
        }
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session) { $0.secrets = Provider() }
        var description = try download("a", folder)
        description.tags = ["x"]
        description.headers = [.init(name: "X-Id", value: "1")]
        try await queue.add(description)
        try await queue.runUntilIdle()
        #expect(try String(contentsOf: folder.file("a"), encoding: .utf8) == "/aBearer secret-x")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where name.hasPrefix("queue") {
            #expect(try Data(contentsOf: folder.file(name)).range(of: Data("secret-".utf8)) == nil)
            let mode =
                try FileManager.default.attributesOfItem(atPath: folder.file(name).path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        for name in ["Authorization", "Cookie", "X-Api-Key", "bad name"] {
            description.headers = [.init(name: name, value: "1")]
            let refused = description
            await #expect(throws: TransferError.self) { try await queue.add(refused) }
        }
        let url = try #require(URL(string: "http://user:password@a.test/"))
        await #expect(throws: TransferError.self) {
            try await queue.add(.download(from: url, to: folder.file("b")))
        }
    }

    @Test("a paused transfer stops, keeps its bytes, and continues")
    func pausing() async throws {
        let folder = try ScratchFolder()
        let content = pseudorandom(1 << 20, seed: 1)
        let server = try RangeServer(["/f": ServedFile(content: content, rate: 4 << 20)])
        let queue = try await folder.queue()
        let events = queue.events
        await queue.start()
        let id = try await queue.add(.download(from: server.url("/f"), to: folder.file("f")))
        for await progress in queue.progress(of: .ids([id]), every: .milliseconds(5)) where progress.completedBytes > 0
        {
            break
        }
        try await queue.pause(.ids([id]))
        for await event in events { if case .stopped = event.kind { break } }
        let paused = try #require(try await queue.transfer(id))
        #expect(paused.state == .paused)
        #expect((1..<Int64(content.count)).contains(paused.completedBytes))
        try await queue.resume(.all)
        for await progress in queue.progress(of: .ids([id]), every: .milliseconds(5)) where progress.isFinished {
            break
        }
        #expect(try Data(contentsOf: folder.file("f")) == content)
        #expect(server.ranges == ["bytes=\(paused.completedBytes)-\(content.count - 1)"])
        await queue.stop()
    }

    @Test("a cancelled transfer leaves nothing behind locally or on the server", arguments: [true, false])
    func cancelling(isRunning: Bool) async throws {
        let folder = try ScratchFolder()
        let content = pseudorandom(1 << 20, seed: 1)
        let file = try folder.file("up", content)
        let downloads = try RangeServer(["/f": ServedFile(content: content, rate: 2 << 20)])
        let uploads = try UploadServer(.draft(6), .init(rate: 2 << 20))
        let queue = try await folder.queue()
        await queue.start()
        let ids = try await queue.add(contentsOf: [
            .download(from: downloads.url("/f"), to: folder.file("f")), .upload(file, to: uploads.url),
        ])
        for id in ids {
            for await progress in queue.progress(of: .ids([id]), every: .milliseconds(5))
            where progress.completedBytes > 0 { break }
        }
        if !isRunning { await queue.stop() }
        try await queue.cancel(.all)
        try await eventually("the end of the transfers") {
            try await queue.removeEnded() + queue.transfers().count == 0
        }
        #expect(folder.names == ["up"])
        #expect(uploads.state.uploads.isEmpty)
        await queue.stop()
    }

    @Test("two queues on one file share the work and run each transfer once")
    func sharing() async throws {
        let (folder, server) = (try ScratchFolder(), Server(delay: .milliseconds(2)))
        let queues = [try await folder.queue(on: server.session), try await folder.queue(on: server.session)]
        try await queues[0].add(contentsOf: (0..<40).map { try download("\($0)", folder) })
        try await withThrowingTaskGroup { group in
            for queue in queues { group.addTask { try await queue.runUntilIdle() } }
            try await group.waitForAll()
        }
        #expect(server.paths.count == 40)
        #expect(Set(server.paths).count == 40)
        #expect(try await queues[1].transfers(in: [.completed]).count == 40)
    }

    @Test("a tag selects transfers, and sums are right")
    func tags() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session)
        for number in 0..<6 {
            var description = try download("\(number)", folder)
            description.tags = number < 2 ? ["few", "all"] : ["all"]
            try await queue.add(description)
        }
        try await queue.pause(.tag("few"))
        try await queue.runUntilIdle()
        #expect(try await queue.currentProgress(of: .tag("few")).counts == [.paused: 2])
        let progress = try await queue.currentProgress(of: .tag("all"))
        #expect(progress.counts == [.paused: 2, .completed: 4])
        #expect(try await queue.currentProgress(of: .tag("no")).count == 0)
        try await queue.cancel(.tag("few"))
        let whole = try await queue.currentProgress()
        #expect(whole.isFinished && whole.completedBytes == 8)
    }

    @Test("a Progress follows transfers to their end")
    func foundationProgress() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session)
        try await queue.add(contentsOf: [try download("a", folder), try download("bc", folder)])
        let progress = queue.foundationProgress()
        try await queue.runUntilIdle()
        try await eventually("the whole progress") { progress.fractionCompleted >= 1 }
        #expect(progress.completedUnitCount == 5)
        #expect(progress.totalUnitCount == 5)
    }

    @Test("the transfers of a killed process can be cancelled and removed")
    func orphans() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session)
        let id = try await queue.add(try download("a", folder))
        var dependent = try download("b", folder)
        dependent.dependencies = [id]
        try await queue.add(dependent)
        // As if a process of an earlier boot had claimed it.
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run("UPDATE transfers SET state = 1, owner = 'earlier/1/1/x', lease = 1 WHERE id = 1")
        try await queue.cancel(.ids([id]))
        let again = try await folder.queue(on: server.session)
        #expect(try await again.transfers().map(\.state) == [.cancelled, .failed])
        #expect(try await again.removeEnded() == 2)
    }

    @Test("a cancelled download leaves no temporary file, even if its process was killed before the first checkpoint")
    func orphanedFile() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let queue = try await folder.queue(on: server.session)
        let id = try await queue.add(try download("a", folder))
        // As if a process of an earlier boot had claimed it.
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run("UPDATE transfers SET state = 1, attempts = 1, owner = 'earlier/1/1/x', lease = 1")
        let part = PartFile.path(for: folder.file("a").path, id, in: queue.store.identifier)
        try Data("part".utf8).write(to: URL(fileURLWithPath: part))
        try await queue.cancel(.all)
        let again = try await folder.queue(on: server.session)
        try await again.runUntilIdle()
        #expect(folder.names.isEmpty)
        #expect(try await again.removeEnded() == 1)
    }

    @Test("a transfer waits for a network and stops when the network becomes metered")
    func conditions() async throws {
        let (folder, server) = (try ScratchFolder(), Server())
        let network = SwitchedNetwork(TransferNetworkStatus(isConnected: false, isMetered: true))
        let queue = try await folder.queue(on: server.session) { $0.network = network }
        let events = queue.events
        await queue.start()
        var careful = try download("a", folder)
        careful.conditions.allowsMetered = false
        let ids = try await queue.add(contentsOf: [careful, try download("b", folder)])
        var local = try download("c", folder)
        local.conditions.requiresConnectivity = false
        try await queue.add(local)
        var completed: [TransferID] = []
        for await event in events {
            guard case .completed = event.kind else { continue }
            completed.append(event.id)
            if completed.count == 1 { network.set(TransferNetworkStatus(isConnected: true, isMetered: true)) }
            if completed.count == 2 { network.set(TransferNetworkStatus(isConnected: true, isMetered: false)) }
            if completed.count == 3 { break }
        }
        #expect(server.paths == ["/c", "/b", "/a"])
        #expect(completed.last == ids[0])
        await queue.stop()
    }

    /// A network that a test switches.
    private final class SwitchedNetwork: TransferNetwork {
        // Guards the status, and who observes it.
        private let state: Mutex<(status: TransferNetworkStatus, observers: [AsyncStream<Void>.Continuation])>

        init(_ status: TransferNetworkStatus) { state = Mutex((status, [])) }

        var status: TransferNetworkStatus { state.withLock { $0.status } }

        var changes: AsyncStream<Void> {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            state.withLock { $0.observers.append(continuation) }
            return stream
        }

        func set(_ status: TransferNetworkStatus) {
            let observers = state.withLock { state in
                state.status = status
                return state.observers
            }
            for observer in observers { observer.yield() }
        }
    }
}
