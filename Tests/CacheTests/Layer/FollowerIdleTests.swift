import AirframeMock
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

/// Shared content of which a follower has read all that may be received, because another reader has read nothing.
private struct HeldTransfer: Sendable {
    /// The maximum distance between two readers of shared content, in bytes.
    static let window = 8 << 20

    let clock: VirtualClock
    let upstream: HeldBody
    /// The reader that holds the transfer back.
    let slow: SharedBodyReader
    let follower: SharedBodyReader
    private let pump: Task<Void, Never>

    /// - Parameter limit: Sets the limits of the follower's request.
    init(_ limit: (inout TransportRequest, VirtualClock) -> Void) async throws {
        let (clock, upstream) = (VirtualClock(.manual), HeldBody())
        var request = get()
        limit(&request, clock)
        let layer = CacheLayer(ScriptedOrigin(clock: clock, []), store: MemoryCacheStore())
        let key = try #require(CacheKey(request))
        let head = HTTPResponse.make(200, [])
        let made = CacheEntry(
            key: key, answering: request.head, head: head, requestTime: clock.date, responseTime: clock.date)
        let entry = try #require(made)
        let begun = await StoreRecorder(entry, CacheExchange(layer, request, key), expectedLength: nil)
        let recorder = try #require(begun)
        let shared = SharedBody(
            head: head,
            entry: entry,
            upstream: ResponseBody(upstream),
            prelude: Data(count: Self.window),
            finishLimit: 0
        )
        let (slow, follower) = (shared.reader(clock), shared.reader(within: FollowerLimits(request, clock), clock))
        self.slow = try #require(slow)
        self.follower = try #require(follower)
        // Runs until the pump waits for the slow reader.
        pump = Task.immediate { await shared.pump(into: recorder) {} }
        self.clock = clock
        self.upstream = upstream
        let first = try await follower?.next()
        #expect(first?.count == Self.window)
    }

    /// Returns a task that waits for the follower's next chunk, once its limit runs.
    func next() async throws -> Task<Data?, any Error> {
        let next = Task { [follower] in try await follower.next() }
        try await waitForTimer()
        return next
    }

    /// Waits until the follower's limit runs.
    func waitForTimer() async throws { try await eventually("the timer sleeps") { clock.sleeperCount == 1 } }

    /// Lets the slow reader catch up, so that the pump continues.
    func release() async throws { #expect(try await slow.next()?.count == Self.window) }

    /// Ends the transfer.
    func end() async {
        follower.cancel()
        slow.cancel()
        await pump.value
    }
}

@Suite("While a slower reader holds shared content back", .timeLimit(.minutes(1)))
struct FollowerIdleTests {
    @Test("a follower's limit on pauses does not end its wait, however long")
    func heldBack() async throws {
        let transfer = try await HeldTransfer { request, _ in request.options.limits.readIdle = .seconds(2) }
        let chunk = try await transfer.next()
        for _ in 0..<3 {
            await transfer.clock.advance(by: .seconds(2))
            try await transfer.waitForTimer()
        }
        try await transfer.release()
        transfer.upstream.give(Data("x".utf8))
        #expect(try await chunk.value == Data("x".utf8))
        await transfer.end()
    }

    @Test("a follower's limit on pauses applies again once the slower reader has read on")
    func released() async throws {
        let transfer = try await HeldTransfer { request, _ in request.options.limits.readIdle = .seconds(2) }
        let chunk = try await transfer.next()
        await transfer.clock.advance(by: .seconds(2))
        try await transfer.waitForTimer()
        try await transfer.release()
        await transfer.clock.advance(by: .seconds(2))
        let error = await #expect(throws: TransportError.self) { try await chunk.value }
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .responseBody)
        #expect(error?.message == "no further byte of the response arrived for 2 s")
        // The other reader continues.
        transfer.upstream.give(Data("x".utf8))
        #expect(try await transfer.slow.next() == Data("x".utf8))
        await transfer.end()
    }

    @Test("a follower's limit on pauses runs from the moment at which the slower reader has read on")
    func releasedMeanwhile() async throws {
        let transfer = try await HeldTransfer { request, _ in request.options.limits.readIdle = .seconds(2) }
        let chunk = try await transfer.next()
        await transfer.clock.advance(by: .milliseconds(1900))
        try await transfer.release()
        await transfer.clock.advance(by: .milliseconds(100))
        try await transfer.waitForTimer()
        transfer.upstream.give(Data("x".utf8))
        #expect(try await chunk.value == Data("x".utf8))
        await transfer.end()
    }

    @Test("a follower's deadline ends its wait all the same")
    func deadline() async throws {
        let transfer = try await HeldTransfer { request, clock in
            request.options.limits.readIdle = .seconds(1)
            request.deadline = clock.now.advanced(by: .seconds(2))
        }
        let chunk = try await transfer.next()
        await transfer.clock.advance(by: .seconds(1))
        try await transfer.waitForTimer()
        await transfer.clock.advance(by: .seconds(1))
        let error = await #expect(throws: TransportError.self) { try await chunk.value }
        #expect(error?.code == .timedOut)
        #expect(error?.message == "the exchange did not end within its deadline of 2 s")
        await transfer.end()
    }
}
