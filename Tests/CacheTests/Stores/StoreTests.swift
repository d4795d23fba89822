import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@testable import AirframeCache

// `make endure` kills 1,000 writers, which took 14 minutes during four builds on two cores.
@Suite("Stores", .timeLimit(.minutes(30)))
struct StoreTests {
    enum Kind: String, CaseIterable, Sendable {
        case memory
        case disk
        case tiered

        func make(_ folder: ScratchFolder, capacity: Int = 8 << 20) -> any CacheStore {
            let disk = DiskCacheStore(directory: folder.path, capacity: Int64(capacity))
            switch self {
            case .memory: return MemoryCacheStore(capacity: capacity)
            case .disk: return disk
            case .tiered: return TieredCacheStore(memory: MemoryCacheStore(capacity: capacity), disk: disk)
            }
        }
    }

    private func origin(_ size: Int = 100) -> ScriptedOrigin {
        ScriptedOrigin { request, number in
            let fields = [
                ("Cache-Control", "max-age=600"), ("ETag", "\"1\""), ("Vary", "Accept"), ("X-Bytes", "\u{FC}"),
            ]
            return .make(200, fields, Self.text(request.head.path ?? "", number, size), to: request)
        }
    }

    private static func text(_ path: String, _ number: Int, _ size: Int) -> String {
        "\(path) \(number) ".padding(toLength: size, withPad: "0123456789", startingAt: 0)
    }

    @Test(
        "stored responses, small and large, are found again with all variants", arguments: Kind.allCases,
        [100, 16 << 10, (16 << 10) + 1, 1_500_000])
    func roundTrip(kind: Kind, size: Int) async throws {
        let folder = ScratchFolder()
        let store = kind.make(folder)
        let origin = origin(size)
        let cache = CacheLayer(origin, store: store)
        for accept in ["a", "b", "c"] { _ = try await cache.text(get("/x", [("Accept", accept)])) }
        for (index, accept) in ["a", "b", "c"].enumerated() {
            let text = try await cache.text(get("/x", [("Accept", accept)]))
            #expect(text == Self.text("/x", index + 1, size))
        }
        #expect(origin.requests.count == 3)
        if kind != .memory {
            let reopened = CacheLayer(origin, store: kind.make(folder))
            let response = try await reopened.send(get("/x", [("Accept", "b")]))
            #expect(try response.head.headerFields[#require(HTTPField.Name("X-Bytes"))] == "\u{FC}")
            #expect(try await response.body.collect(upTo: 2_000_000) == Data(Self.text("/x", 2, size).utf8))
            #expect(origin.requests.count == 3)
        }
        let key = try #require(CacheKey(get("/x").head))
        try await store.removeAll(for: key)
        #expect(try await store.entries(for: key).isEmpty)
    }

    @Test("responses are removed by date", arguments: Kind.allCases)
    func removal(kind: Kind) async throws {
        let folder = ScratchFolder()
        let store = kind.make(folder)
        let clock = ShiftedClock()
        let origin = ScriptedOrigin(clock: clock, [("Cache-Control", "max-age=6000")])
        let cache = CacheLayer(origin, store: store)
        _ = try await cache.text(get("/old"))
        clock.advance(seconds: 100)
        let date = clock.date
        _ = try await cache.text(get("/new"))
        try await store.removeAll(since: date)
        #expect(try await cache.text(get("/old")) == "answer 1")
        #expect(try await cache.text(get("/new")) == "answer 3")
        try await store.removeAll(since: nil)
        #expect(try await cache.text(get("/old")) == "answer 4")
    }

    @Test("memory is bounded, and a scan of many resources does not displace those that are used again")
    func scan() async throws {
        let store = MemoryCacheStore(capacity: 200_000)
        let cache = CacheLayer(origin(1000), store: store)
        for _ in 0..<2 { for number in 0..<20 { _ = try await cache.text(get("/hot/\(number)")) } }
        for number in 0..<1000 { _ = try await cache.text(get("/cold/\(number)")) }
        #expect(store.usage <= 200_000)
        var hits = 0
        for number in 0..<20 where try await cache.send(get("/hot/\(number)")).source == .cache { hits += 1 }
        #expect(hits == 20)
        store.capacity = 0
        #expect(store.usage == 0)
    }

    @Test("the disk is bounded: the least recently used responses are evicted")
    func eviction() async throws {
        let folder = ScratchFolder()
        let store = DiskCacheStore(directory: folder.path, capacity: 500_000)
        let cache = CacheLayer(origin(20_000), store: store)
        for number in 0..<100 { _ = try await cache.text(get("/\(number)")) }
        // The last response may still be being written.
        let last = get("/99", [("Cache-Control", "only-if-cached")])
        try await eventually { try await cache.send(last).source == .cache && store.usage <= 500_000 }
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(folder.path)/bodies")
        #expect(files.count { $0.contains("/") } < 60)
    }

    @Test("two stores on one folder see each other's responses and removals")
    func shared() async throws {
        let folder = ScratchFolder()
        let origin = origin()
        let one = CacheLayer(origin, store: Kind.tiered.make(folder))
        let two = CacheLayer(origin, store: Kind.tiered.make(folder))
        _ = try await one.text(get("/x"))
        #expect(try await two.send(get("/x")).source == .cache)
        _ = try await two.text(get("/x", method: .delete))
        #expect(try await one.send(get("/x")).source == .network)
        #expect(origin.requests.count == 3)
    }

    @Test("a response that another store removes while this one adds a variant is gone")
    func removalDuringRequest() async throws {
        let folder = ScratchFolder()
        let two = CacheLayer(origin(), store: Kind.tiered.make(folder))
        let server = ScriptedOrigin { request, number in
            if number == 2 { _ = try? await two.text(get("/x", method: .delete)) }
            return .make(200, [("Cache-Control", "max-age=600"), ("Vary", "Accept")], "\(number)", to: request)
        }
        let one = CacheLayer(server, store: Kind.tiered.make(folder))
        for accept in ["a", "b"] { _ = try await one.text(get("/x", [("Accept", accept)])) }
        #expect(try await one.text(get("/x", [("Accept", "a")])) == "3")
        #expect(try await one.text(get("/x", [("Accept", "b")])) == "2")
        #expect(server.requests.count == 3)
    }

    @Test("a response that another store has removed is gone although this one updates another variant")
    func removalBeforeUpdate() async throws {
        let folder = ScratchFolder()
        let (one, two) = (Kind.tiered.make(folder), Kind.tiered.make(folder))
        let cache = CacheLayer(origin(), store: one)
        for accept in ["a", "b"] { _ = try await cache.text(get("/x", [("Accept", accept)])) }
        let key = try #require(CacheKey(get("/x").head))
        let entries = try await one.entries(for: key)
        #expect(entries.count == 2)
        let (kept, removed) = (try #require(entries.first), try #require(entries.last))
        try await two.remove(removed)
        try await one.update(kept)
        #expect(try await one.entries(for: key).map(\.identifier) == [kept.identifier])
        #expect(try await one.content(of: kept) != nil)
    }

    @Test("without room on disk, validations and removals touch no file")
    func memoryOnly() async throws {
        let (folder, clock, events) = (ScratchFolder(), ShiftedClock(), EventList())
        let disk = DiskCacheStore(directory: folder.path, capacity: 0)
        let origin = ScriptedOrigin(clock: clock) { request, _ in
            let fields = [("Cache-Control", "max-age=1"), ("ETag", request.head.method == .head ? "\"2\"" : "\"1\"")]
            let isConfirmed = request.head.headerFields.contains(.ifNoneMatch)
            return .make(isConfirmed ? 304 : 200, fields, isConfirmed ? "" : "content", to: request)
        }
        let cache = CacheLayer(origin, store: TieredCacheStore(memory: MemoryCacheStore(), disk: disk))
        for method in [HTTPRequest.Method.get, .get, .head] {
            let request = get(method: method).with { $0.events = events }
            let source = try await cache.send(request).source
            #expect(source == (origin.requests.count == 2 ? .revalidated : .network))
            clock.advance(seconds: 10)
        }
        #expect(origin.requests.count == 3)
        #expect(events.decisions.contains("invalidatedInCache"))
        #expect(!events.decisions.contains("cacheFailed"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("if the disk cannot be written, a validated response is fresh in memory")
    func unwritableDisk() async throws {
        let (folder, clock, events) = (ScratchFolder(), ShiftedClock(), EventList())
        let origin = ScriptedOrigin(clock: clock) { request, _ in
            let fields = [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]
            let isConfirmed = request.head.headerFields.contains(.ifNoneMatch)
            return .make(isConfirmed ? 304 : 200, fields, isConfirmed ? "" : "content", to: request)
        }
        let cache = CacheLayer(origin, store: Kind.tiered.make(folder))
        _ = try await cache.text(get("/x"))
        // A file in place of a folder makes writing fail for root too.
        let locks = "\(folder.path)/locks"
        try FileManager.default.removeItem(atPath: locks)
        try Data().write(to: URL(filePath: locks))
        clock.advance(seconds: 100)
        let request = get("/x").with { $0.events = events }
        #expect(try await cache.send(request).source == .revalidated)
        #expect(events.decisions.contains("cacheFailed"))
        #expect(try await cache.send(request).source == .cache)
        #expect(origin.requests.count == 2)
    }

    @Test("a damaged file is never served", arguments: [100, 30_000])
    func damage(size: Int) async throws {
        let folder = ScratchFolder()
        let origin = origin(size)
        let disk = DiskCacheStore(directory: folder.path)
        for part in ["entries", "bodies"] {
            for step in 0..<20 {
                let cache = CacheLayer(origin, store: disk)
                let written = try await cache.text(get("/x"))
                let paths = CacheFolder(path: folder.path).files(in: part)
                for path in paths {
                    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
                    if step % 4 == 3 { bytes.removeLast(max(1, bytes.count / (step + 1))) }
                    let index = bytes.count * step / 20
                    bytes[index] ^= 0x10
                    try Data(bytes).write(to: URL(filePath: path))
                }
                #expect(paths.isEmpty || !disk.verify().damages.isEmpty)
                let response = try await cache.send(get("/x"))
                let text = String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self)
                #expect(response.source == .network || text == written)
                #expect(paths.isEmpty || response.source == .network)
            }
        }
    }

    @Test("a read-only folder serves its responses and stores nothing")
    func readOnly() async throws {
        let folder = ScratchFolder()
        let origin = origin()
        _ = try await CacheLayer(origin, store: DiskCacheStore(directory: folder.path)).text(get("/x"))
        let file = "\(folder.path)/file"
        try Data().write(to: URL(filePath: file))
        // A file in place of a folder makes writing fail for root too.
        let cache = CacheLayer(origin, store: DiskCacheStore(directory: file))
        for _ in 0..<2 { #expect(try await cache.send(get("/x")).source == .network) }
    }

    /// The number of times that a writer is killed: 1,000 with `make endure`.
    static let kills = ProcessInfo.processInfo.environment["AIRFRAME_CACHE_KILLS"].flatMap { Int($0) } ?? 60

    @Test(
        "a cache whose writer was killed at random moments opens, serves no wrong byte, and lost only writes in flight"
    )
    func killed() async throws {
        let folder = ScratchFolder()
        var last = 0
        for kill in 0..<Self.kills {
            let process = Process()
            process.executableURL = URL(filePath: Command.built("cache-probe", []).path)
            process.arguments = [folder.path, "\(last + 1)"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            // Nine in ten kills follow the first stored response by a random time; one in ten happens during the start.
            if kill % 10 > 0 { _ = try output.fileHandleForReading.read(upToCount: 1) }
            usleep(UInt32.random(in: 0...20_000))
            Glibc.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let store = DiskCacheStore(directory: folder.path)
            var numbers: [Int] = []
            for entry in store.allEntries() {
                guard let content = try await store.content(of: entry) else {
                    Issue.record("kill \(kill): a content is missing")
                    continue
                }
                let number = Int(try entry.head.headerFields[#require(HTTPField.Name("X-Number"))] ?? "") ?? 0
                #expect(try content.bytes() == Self.content(number), "kill \(kill): wrong bytes")
                numbers.append(number)
            }
            let newest = numbers.max() ?? 0
            #expect(newest >= last, "kill \(kill): an older state")
            let expected = min(newest, 20)
            #expect(numbers.count >= expected, "kill \(kill): \(numbers.count) of \(expected)")
            #expect(numbers.allSatisfy { $0 > newest - 21 }, "kill \(kill): \(numbers.sorted())")
            last = newest
        }
        #expect(last > 0, "nothing was ever written")
        print("\(Self.kills) kills, \(last) responses")
    }

    /// The content that `cache-probe` stores with a number.
    static func content(_ number: Int) -> Data {
        Data((0..<(number * 7919 % 60_000)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    }
}
