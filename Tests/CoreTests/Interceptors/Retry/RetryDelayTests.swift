import AirframeCore
import AirframeLayers
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("Delays and limits of retries", .timeLimit(.minutes(1)))
struct RetryDelayTests {
    private static func waits(_ policy: RetryPolicy, retryAfter: String? = nil) async -> [Double] {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { request in
            .status(503, fields: retryAfter.map { [.retryAfter: $0] } ?? [:], to: request)
        }
        let session = Session(transport: transport, interceptor: policy)
        _ = await session.request("http://api.test/").validate().serializingData().response
        return clock.waits
    }

    @Test("full jitter draws each delay between zero and the backoff's, reproducibly for a seed")
    func jitter() async {
        let first = await Self.waits(RetryPolicy(retryLimit: 8, jitter: .full(seed: 7)))
        #expect(first == (await Self.waits(RetryPolicy(retryLimit: 8, jitter: .full(seed: 7)))))
        #expect(first != (await Self.waits(RetryPolicy(retryLimit: 8, jitter: .full(seed: 8)))))
        #expect(first.count == 8)
        for (index, wait) in first.enumerated() { #expect((0...0.5 * pow(2, Double(index))).contains(wait)) }
        #expect(Set(first).count == 8, "the waits are spread")
    }

    @Test("full jitter distributes delays evenly over the whole range")
    func jitterIsEven() async {
        let policy = RetryPolicy(retryLimit: 1, exponentialBackoffScale: 1, jitter: .full(seed: 1))
        var waits: [Double] = []
        for _ in 0..<400 { waits += await Self.waits(policy) }
        for quarter in 0..<4 {
            let range = Double(quarter) / 4..<Double(quarter + 1) / 4
            #expect((60...140).contains(waits.count(where: range.contains)), "\(range)")
        }
    }

    @Test(
        "a Retry-After longer than the backoff is honored (RFC 9110 §10.2.3)",
        arguments: [
            ("0", [0.5, 1]), ("3", [3, 3]), (" 3 ", [3, 3]), ("1", [1, 1]), ("60", [60, 60]), ("61", []),
            ("99999999999999999999999999", []),
            // The test's clock begins at Sun, 06 Nov 1994 08:49:37 GMT.
            ("Sun, 06 Nov 1994 08:49:41 GMT", [4, 1]), ("Sunday, 06-Nov-94 08:49:41 GMT", [4, 1]),
            ("Sun Nov  6 08:49:41 1994", [4, 1]), ("Sun, 06 Nov 1994 08:49:00 GMT", [0.5, 1]),
            ("Mon, 07 Nov 1994 08:49:37 GMT", []), ("Fri, 31 Dec 9999 23:59:59 GMT", []),
            ("Thu, 01 Jan 1970 00:00:00 GMT", [0.5, 1]), ("Sat, 01 Jan 0000 00:00:00 GMT", [0.5, 1]),
            ("9223372036854775808", []), (String(repeating: "9", count: 400), []),
            ("-1", [0.5, 1]), ("1.5", [0.5, 1]), ("soon", [0.5, 1]), ("", [0.5, 1]), ("3, 5", [0.5, 1]),
            ("Sun, 31 Feb 1994 08:49:41 GMT", [0.5, 1]), ("Sun, 06 Nov 1994 25:49:41 GMT", [0.5, 1]),
            ("Sun, 06 Nov 1994 08:49:41 CET", [0.5, 1]),
        ]
    )
    func retryAfter(value: String, expected: [Double]) async {
        #expect(await Self.waits(RetryPolicy(), retryAfter: value) == expected)
    }

    @Test("the policy limits the delay that a server may demand")
    func maximumRetryAfter() async {
        #expect(await Self.waits(RetryPolicy(maximumRetryAfter: 600), retryAfter: "300") == [300, 300])
        #expect(await Self.waits(RetryPolicy(maximumRetryAfter: 0), retryAfter: "1").isEmpty)
    }

    @Test(
        "a policy without a limit waits as long as the clock can represent, without a trap",
        arguments: [String(repeating: "9", count: 400), "Fri, 31 Dec 9999 23:59:59 GMT", "10000000000"]
    )
    func unboundedRetryAfter(value: String) async {
        let waits = await Self.waits(RetryPolicy(retryLimit: 1, maximumRetryAfter: .infinity), retryAfter: value)
        #expect(waits.count == 1)
        #expect(waits.allSatisfy { $0 > 3e9 && $0 < 9.3e9 }, "\(waits)")
    }

    @Test(
        "a retrier's invalid or too long delay does not trap",
        arguments: [(Double.infinity, 9.2e9), (1e300, 9.2e9), (.nan, nil), (-1, nil), (-.infinity, nil), (0, nil)]
            as [(Double, Double?)]
    )
    func anyDelay(delay: Double, expected: Double?) async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retryWithDelay(delay) : .doNotRetry)
        }
        let session = Session(transport: transport, interceptor: Interceptor(retriers: [retrier]))
        _ = await session.request("http://api.test/").validate().serializingData().response
        #expect(transport.heads.count == 2)
        #expect(clock.waits.count == (expected == nil ? 0 : 1))
        if let expected { #expect(clock.waits.allSatisfy { $0 >= expected }) }
    }

    @Test("the limit for all attempts prevents retries whose delay would exceed it")
    func allAttempts() async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForAllAttempts = 25
        let session = Session(
            transport: transport,
            configuration: configuration,
            interceptor: RetryPolicy(retryLimit: 9, exponentialBackoffScale: 10)
        )
        let response = await session.request("http://api.test/").validate().serializingData().response
        // The second wait would be 20 seconds, and 15 are left.
        #expect(clock.waits == [10])
        #expect(response.response?.statusCode == 503)
        #expect(response.error?.responseCode == 503)
    }

    @Test("the limit for all attempts ends an attempt that would last longer")
    func deadlines() async {
        let deadlines = Mutex<[MonotonicInstant?]>([])
        let transport = ScriptedTransport(clock: StepClock()) { request in
            deadlines.withLock { $0.append(request.deadline) }
            return .status(503, to: request)
        }
        let configuration = URLSessionConfiguration.af.default
        configuration.timeoutIntervalForAllAttempts = 25
        configuration.timeoutIntervalForResource = 20
        let session = Session(
            transport: transport,
            configuration: configuration,
            interceptor: RetryPolicy(retryLimit: 9, exponentialBackoffScale: 10)
        )
        _ = await session.request("http://api.test/").validate().serializingData().response
        let start = MonotonicInstant(nanoseconds: 0)
        #expect(deadlines.withLock { $0 } == [start.advanced(by: .seconds(20)), start.advanced(by: .seconds(25))])
    }

    @Test("jitter shortens the backoff, but not the server's delay")
    func jitterAndRetryAfter() async {
        let policy = RetryPolicy(retryLimit: 3, jitter: .full(seed: 1))
        #expect(await Self.waits(policy, retryAfter: "30") == [30, 30, 30])
    }

    @Test("a budget limits the retries of all requests together, and is refilled over time")
    func budget() async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let policy = RetryPolicy(
            retryLimit: 2,
            exponentialBackoffScale: 0,
            budget: RetryBudget(capacity: 5, refillPerSecond: 2)
        )
        let session = Session(transport: transport, interceptor: policy)
        for _ in 0..<10 {
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        #expect(transport.heads.count == 15)
        clock.advance(by: .seconds(2))
        for _ in 0..<10 {
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        #expect(transport.heads.count == 29, "two seconds bring four tokens")
        clock.advance(by: .seconds(1000))
        for _ in 0..<10 {
            _ = await session.request("http://api.test/").validate().serializingData().response
        }
        #expect(transport.heads.count == 44, "the bucket holds no more than it did")
    }

    @Test("policies may share a budget; an empty budget allows no retry")
    func sharedBudget() async {
        let budget = RetryBudget(capacity: 1, refillPerSecond: 0)
        let first = RetryPolicy(budget: budget)
        let second = ConnectionLostRetryPolicy(budget: budget)
        #expect(await Self.waits(first) == [0.5])
        let transport = ScriptedTransport { _ throws(TransportError) in throw .failure(.connectionLost, .unknown) }
        let session = Session(transport: transport, interceptor: second)
        _ = await session.request("http://api.test/").serializingData().response
        #expect(transport.heads.count == 1)
        #expect(await Self.waits(RetryPolicy(budget: RetryBudget(capacity: 0))).isEmpty)
        #expect(RetryBudget(capacity: -3, refillPerSecond: -.infinity).capacity == 0)
    }

    @Test("a delay beyond the clock's range is a long one", arguments: [1e10, Double.infinity])
    func endlessDelay(delay: Double) async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retryWithDelay(delay) : .doNotRetry)
        }
        let session = Session(transport: transport, interceptor: retrier)
        _ = await session.request("http://api.test/").validate().serializingData().response
        #expect(clock.waits.allSatisfy { $0 > 1e9 })
        #expect(clock.waits.count == 1)
    }

    @Test("a delay that is not positive, or not a number, is zero", arguments: [0, -1, -Double.infinity, Double.nan])
    func noDelay(delay: Double) async {
        let clock = StepClock()
        let transport = ScriptedTransport(clock: clock) { .status(503, to: $0) }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retryWithDelay(delay) : .doNotRetry)
        }
        let session = Session(transport: transport, interceptor: retrier)
        _ = await session.request("http://api.test/").validate().serializingData().response
        #expect(transport.heads.count == 2)
        #expect(clock.waits.isEmpty)
    }
}
