import AirframeCore
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@testable import AirframeRedis

private struct Token: Codable, Sendable, Hashable {
    var number: Int
}

private struct Refused: Error, Hashable {}

@Suite("Credentials that a fleet refreshes once", .timeLimit(.minutes(2)), .enabled(if: RedisServer.isExpected))
struct RefreshTests {
    @Test("ten processes refresh a token once")
    func processes() async throws {
        let server = try await RedisServer()
        let file = "\(server.folder)/refreshes"
        let outcomes = try await withThrowingTaskGroup(of: Command.RunResult.self) { group in
            for _ in 0..<10 {
                group.addTask { try await Command.built("redis-probe", ["refresh", server.url, "p:", file]).run() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.map(\.output) == Array(repeating: "welcome\n", count: 10))
        #expect(outcomes.allSatisfy { $0.status == 0 })
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "r\n")
    }

    @Test("without Redis each process refreshes for itself, and reports that")
    func withoutServer() async throws {
        let failures = Values<RedisError>()
        let coordinator = RedisRefreshCoordinator<Token>(try RedisClient(url: "unix:///nonexistent/socket")) {
            failures.append($0)
        }
        let token = try await coordinator.replacement(for: Token(number: 0)) { Token(number: 1) }
        #expect(token.number == 1)
        #expect(failures.all.map(\.kind) == [.connection])
    }

    @Test("a server that stops while the token is refreshed does not fail the refresh")
    func outage() async throws {
        let server = try await RedisServer()
        let failures = Values<RedisError>()
        let coordinator = RedisRefreshCoordinator<Token>(try server.client()) { failures.append($0) }
        let token = try await coordinator.replacement(for: Token(number: 0)) {
            server.stop()
            return Token(number: 1)
        }
        #expect(token.number == 1)
        #expect(failures.all.count == 1)
    }

    @Test("after a failed refresh the next process tries; each credential has its own lock")
    func failure() async throws {
        let server = try await RedisServer()
        let coordinator = RedisRefreshCoordinator<Token>(try server.client())
        await #expect(throws: Refused.self) {
            try await coordinator.replacement(for: Token(number: 0)) { throw Refused() }
        }
        let token = try await coordinator.replacement(for: Token(number: 0)) {
            // During the refresh of another token, because the locks differ.
            try await coordinator.replacement(for: Token(number: 100)) { Token(number: 101) }
        }
        #expect(token.number == 101)
        for number in [0, 100] {
            let known = try await coordinator.replacement(for: Token(number: number)) { throw Refused() }
            #expect(known.number == 101)
        }
    }

    @Test("the lock of a killed holder is free when its lease ends; a long refresh keeps its lock")
    func leases() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let coordinator = RedisRefreshCoordinator<Token>(client, lease: .milliseconds(1500))
        let count = Atomic(0)
        // Longer than the lease, which is long enough for a busy machine to extend it in time.
        let slow = Task {
            try await coordinator.replacement(for: Token(number: 0)) {
                count.add(1, ordering: .relaxed)
                try await Task.sleep(for: .seconds(4))
                return Token(number: 1)
            }
        }
        try await eventually("the refresh") { count.load(ordering: .relaxed) > 0 }
        let other = try await coordinator.replacement(for: Token(number: 0)) {
            count.add(1, ordering: .relaxed)
            return Token(number: 2)
        }
        #expect(try await slow.value == other)
        #expect(count.load(ordering: .relaxed) == 1)
        // A holder that never releases its lock.
        let keys = try await client.send(RedisCommand("KEYS", "*credential:*")).elements?.compactMap(\.text) ?? []
        let digest = try #require(keys.first?.split(separator: ":").last)
        _ = try await client.send(RedisCommand(["DEL"] + keys))
        let lock = RedisLock(client, name: "airframe:refresh:lock:\(digest)", lease: .milliseconds(200))
        #expect(try await lock.acquire() != nil)
        #expect(try await coordinator.replacement(for: Token(number: 0)) { Token(number: 3) }.number == 3)
    }

    @Test("a process refreshes itself after its patience has ended")
    func patience() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let failures = Values<RedisError>()
        let patient = RedisRefreshCoordinator<Token>(client)
        let hasty = RedisRefreshCoordinator<Token>(client, patience: .milliseconds(100)) { failures.append($0) }
        let token = try await patient.replacement(for: Token(number: 0)) {
            try await hasty.replacement(for: Token(number: 0)) { Token(number: 1) }
        }
        #expect(token.number == 1)
        #expect(failures.all.map(\.kind) == [.timeout])
    }
}
