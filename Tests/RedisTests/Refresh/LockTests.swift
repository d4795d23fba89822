import AirframeTestSupport
import Foundation
import Testing

@testable import AirframeRedis

@Suite("Locks in Redis", .timeLimit(.minutes(1)), .enabled(if: RedisServer.isExpected))
struct LockTests {
    @Test("one holder has the lock until it releases it or its lease ends")
    func holders() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let lock = RedisLock(client, name: "lock", lease: .seconds(60))
        let held = try #require(try await lock.acquire())
        #expect(try await lock.acquire() == nil)
        #expect(try await lock.extend(held))
        try await lock.release(held)
        let next = try #require(try await lock.acquire())
        // The former holder can no longer change the lock.
        #expect(try await !lock.extend(held))
        try await lock.release(held)
        #expect(try await lock.acquire() == nil)
        // A lease ends without a release.
        #expect(try await RedisLock(client, name: "lock", lease: .milliseconds(150)).extend(next))
        try await eventually("the end of the lease") { try await lock.acquire() != nil }
        #expect(try await !lock.extend(next))
    }

    @Test("one of a hundred concurrent tasks gets the lock")
    func contention() async throws {
        let server = try await RedisServer()
        let client = try server.client()
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { try await RedisLock(client, name: "lock").acquire() != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }
}
