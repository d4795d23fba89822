import AirframeCore
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@testable import AirframeTransfers

@Suite("The file of a queue", .timeLimit(.minutes(2)))
struct StoreTests {
    private func description(_ number: Int, _ folder: ScratchFolder) throws -> TransferDescription {
        .download(from: try #require(URL(string: "http://h\(number % 7).test/\(number)")), to: folder.file("\(number)"))
    }

    private func store(_ folder: ScratchFolder) throws -> TransferStore {
        try TransferStore(path: folder.file("queue.db").path)
    }

    @Test("the next process reads the transfers with their descriptions")
    func persistence() async throws {
        let folder = try ScratchFolder()
        var first = try description(1, folder)
        first.tags = ["a", "b"]
        first.headers = [.init(name: "X", value: "ü")]
        first.conditions.allowsMetered = false
        first = first.downloading {
            $0.segments = 4
            $0.checksum = TransferChecksum("md5:900150983cd24fb0d6963f7d28e17f72")
            $0.mirrors = [first.url]
        }
        let second = TransferDescription.upload(
            folder.file("u"), to: first.url, method: .put, using: .tus(TusOptions(metadata: ["a": "b"])))
        let ids = try await store(folder).add([first, second])
        let again = try store(folder)
        #expect(try await again.description(of: ids[0]) == first)
        #expect(try await again.description(of: ids[1]) == second)
        #expect(try await again.description(of: TransferID(rawValue: 99)) == nil)
    }

    @Test("files of later versions and other files are rejected and left unchanged")
    func foreign() async throws {
        let folder = try ScratchFolder()
        let later = try SQLiteConnection(path: folder.file("later").path)
        try later.run("PRAGMA user_version = 2")
        let other = try SQLiteConnection(path: folder.file("other").path)
        try other.run("CREATE TABLE things (x)")
        _ = try folder.file("text", Data("This is not a database, but a text of some length.".utf8))
        for name in ["later", "other", "text", "missing/folder"] {
            #expect(throws: TransferError.self) { try TransferStore(path: folder.file(name).path) }
        }
        #expect(try other.run("SELECT name FROM sqlite_schema").map { $0.text(0) } == ["things"])
    }

    @Test("a lease excludes other processes until it expires or its process ends")
    func leases() async throws {
        let folder = try ScratchFolder()
        let (store, now) = (try store(folder), Date(timeIntervalSince1970: 1_000_000))
        let id = try await store.add([try description(1, folder)])[0]
        let (mine, other) = (LeaseOwner.current(), LeaseOwner.current())
        let end = now.addingTimeInterval(30)
        let claim = try #require(try await store.claim(ClaimFilter(), for: mine, at: now, until: end))
        #expect(claim.id == id)
        #expect(try await store.claim(ClaimFilter(), for: other, at: now, until: end) == nil)
        try await store.save(TransferCheckpoint(data: Data("x".utf8), completed: 7, total: 9), of: id, for: mine)
        // The other process looks when the lease has run out.
        _ = try await store.renew(other, at: end.addingTimeInterval(1), until: end.addingTimeInterval(31))
        let taken = try #require(try await store.claim(ClaimFilter(), for: other, at: end, until: end))
        #expect(taken.checkpoint == Data("x".utf8))
        await #expect(throws: TransferError.self) {
            try await store.save(TransferCheckpoint(data: nil, completed: 8, total: 9), of: id, for: mine)
        }
        #expect(try await store.list(.all, nil, after: nil, limit: 9).first?.completedBytes == 7)
    }

    @Test("the leases of a process that has ended are released immediately")
    func deadOwner() async throws {
        let folder = try ScratchFolder()
        let (store, now) = (try store(folder), Date())
        _ = try await store.add([try description(1, folder)])
        let living = LeaseOwner.current()
        #expect(!LeaseOwner.hasEnded(living.name))
        // Process numbers are reused, so the start time distinguishes processes.
        var parts = living.name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts[2] = "1"
        let dead = LeaseOwner(name: parts.joined(separator: "/"))
        #expect(LeaseOwner.hasEnded(dead.name))
        #expect(!LeaseOwner.hasEnded("elsewhere/1/1/x"))
        let end = now.addingTimeInterval(3600)
        _ = try await store.claim(ClaimFilter(), for: dead, at: now, until: end)
        #expect(try await store.claim(ClaimFilter(), for: living, at: now, until: end) == nil)
        _ = try await store.renew(living, at: now, until: end)
        #expect(try await store.claim(ClaimFilter(), for: living, at: now, until: end) != nil)
    }

    @Test("the next attempt lies in the future: a transfer that is due and cannot run keeps no loop busy")
    func outlook() async throws {
        let folder = try ScratchFolder()
        let (store, now, me) = (try store(folder), Date(timeIntervalSince1970: 1_000_000), LeaseOwner.current())
        _ = try await store.add([try description(1, folder), try description(2, folder)])
        for wait in [5.0, 60] {
            let claim = try #require(try await store.claim(ClaimFilter(), for: me, at: now, until: now + 30))
            try await store.release(
                claim.id, as: .mustWait(until: now + wait, failures: 1, message: "x"), TransferCheckpoint(), for: me)
        }
        #expect(try await store.outlook(after: now).nextAttempt == now + 5)
        #expect(try await store.outlook(after: now + 5).nextAttempt == now + 60)
        #expect(try await store.outlook(after: now + 60).nextAttempt == nil)
        #expect(try await store.outlook(after: now + 60).openCount == 2)
    }

    @Test("a transfer that is cancelled while its attempt stops is discarded")
    func cancelledLate() async throws {
        let folder = try ScratchFolder()
        let (store, now, me) = (try store(folder), Date(), LeaseOwner.current())
        _ = try await store.add([try description(1, folder), try description(2, folder)])
        let outcomes: [AttemptOutcome] = [.stopped, .mustWait(until: now, failures: 1, message: "x")]
        for outcome in outcomes {
            let claim = try #require(try await store.claim(ClaimFilter(), for: me, at: now, until: now + 30))
            _ = try await store.change(.all, from: [.running], to: .cancelled)
            try await store.release(claim.id, as: outcome, TransferCheckpoint(), for: me)
            let left = try #require(try await store.claimCancelled(for: me, until: now + 30))
            #expect(left.id == claim.id)
            try await store.release(left.id, as: .cancelled, TransferCheckpoint(), for: me)
            #expect(try await store.claimCancelled(for: me, until: now + 30) == nil)
        }
    }

    @Test("a cancelled transfer whose description cannot be read does not keep others from being discarded")
    func unreadableDescription() async throws {
        let folder = try ScratchFolder()
        let (store, now, me) = (try store(folder), Date(), LeaseOwner.current())
        let ids = try await store.add([try description(1, folder), try description(2, folder)])
        for _ in ids {
            let claim = try #require(try await store.claim(ClaimFilter(), for: me, at: now, until: now + 30))
            let checkpoint = TransferCheckpoint(data: Data("x".utf8))
            _ = try await store.change(.ids([claim.id]), from: [.running], to: .cancelled)
            try await store.release(claim.id, as: .stopped, checkpoint, for: me)
        }
        let database = try SQLiteConnection(path: folder.file("queue.db").path)
        try database.run("UPDATE transfers SET description = x'00' WHERE id = ?", .integer(ids[0].rawValue))
        let left = try #require(try await store.claimCancelled(for: me, until: now + 30))
        #expect(left.id == ids[1])
        try await store.release(left.id, as: .cancelled, TransferCheckpoint(), for: me)
        #expect(try await store.claimCancelled(for: me, until: now + 30) == nil)
        #expect(try await store.removeEnded(.all) == 2)
    }

    @Test("10,000 transfers: added and listed in one call, claimed within 50 ms, in bounded memory")
    func many() async throws {
        let folder = try ScratchFolder()
        let descriptions = try (0..<10_000).map { try description($0, folder) }
        let before = ProcessResources.residentMiB
        _ = try await store(folder).add(descriptions)
        let clock = ContinuousClock()
        let again = try store(folder)
        // The shortest of several: other tests run concurrently.
        var starts: [Duration] = []
        for _ in 0..<5 {
            var claim: ClaimedTransfer?
            let time = try await clock.measure {
                let fresh = try store(folder)
                let now = Date()
                claim = try await fresh.claim(
                    ClaimFilter(busyHosts: ["h0.test:80"], busyTags: ["x"]), for: .current(), at: now,
                    until: now.addingTimeInterval(30))
            }
            #expect(claim != nil)
            starts.append(time)
        }
        var listed: [Transfer] = []
        let listing = try await clock.measure { listed = try await again.list(.all, nil, after: nil, limit: 100_000) }
        #expect(listed.count == 10_000)
        print("10,000 transfers: start \(starts.min() ?? .zero), list \(listing)")
        #expect(starts.min() ?? .seconds(9) < .milliseconds(50))
        #expect(listing < .seconds(2))
        #expect(ProcessResources.residentMiB - before < 100)
        let sum = try await again.sum(.all)
        #expect(sum.counts == [.waiting: 9_995, .running: 5])
    }
}
