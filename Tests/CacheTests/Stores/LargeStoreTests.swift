import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Stores on large and on full disks", .timeLimit(.minutes(10)))
struct LargeStoreTests {
    /// The number of responses on disk: 100,000 with `make endure`.
    static let count = ProcessInfo.processInfo.environment["AIRFRAME_CACHE_ENTRIES"].flatMap { Int($0) } ?? 2000

    @Test("a cache opens in milliseconds, however many responses it has")
    func opening() async throws {
        let folder = ScratchFolder()
        let store = DiskCacheStore(directory: folder.path, capacity: 4 << 30)
        let head = HTTPResponse.make(200, [("Cache-Control", "max-age=86400"), ("ETag", "\"1\"")])
        let now = Date()
        for number in 0..<Self.count {
            let request = get("/\(number)").head
            let key = try #require(CacheKey(request))
            var entry = try #require(
                CacheEntry(key: key, answering: request, head: head, requestTime: now, responseTime: now))
            entry.content = Data("content of \(number)".utf8)
            _ = try store.insert(entry)
        }
        var times: [Duration] = []
        for number in stride(from: 0, to: Self.count, by: Self.count / 20) {
            let key = try #require(CacheKey(get("/\(number)").head))
            let start = ContinuousClock.now
            let entries = try await DiskCacheStore(directory: folder.path).entries(for: key)
            times.append(ContinuousClock.now - start)
            #expect(entries.first?.content == Data("content of \(number)".utf8))
        }
        times.sort()
        let (median, longest) = (times[times.count / 2], times[times.count - 1])
        print("\(Self.count) responses: opened and looked up in \(median), at most \(longest)")
        #expect(median < .milliseconds(10))
    }

    /// Runs the probe on a file system of 2 MiB in its own mount namespace.
    private static func onFullDisk(_ folder: String) -> Command {
        let probe = Command.built("cache-probe", []).path
        let script = "mount -t tmpfs -o size=2m tmpfs '\(folder)' && exec '\(probe)' '\(folder)' fill"
        return Command(["unshare", "--mount", "--map-root-user", "sh", "-c", script])
    }

    @Test("a full disk serves its responses and stores nothing until there is room again")
    func full() async throws {
        let folder = ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let outcome = try await Self.onFullDisk(folder.path).run()
        // `unshare` reports an error if the kernel forbids mount namespaces.
        guard !outcome.output.contains("unshare failed"), !outcome.output.contains("permission denied") else {
            if ProcessInfo.processInfo.environment["CI"] == "true" { Issue.record("\(outcome.output)") }
            return
        }
        #expect(outcome.status == 0, "\(outcome.output)")
        let numbers = outcome.output.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }
        try #require(numbers.count == 4, "\(outcome.output)")
        #expect(numbers[0] > 20, "stored")
        #expect(numbers[1] > 20, "refused by the full disk")
        #expect(numbers[2] == 0, "wrong answers")
        #expect(numbers[3] > 0, "stored again once there was room")
    }
}
