import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeTransfers

@Suite("The rules of a queue", .timeLimit(.minutes(1)))
struct RuleTests {
    @Test("waits double up to the maximum, jitter removes at most half, and Retry-After is respected")
    func retries() {
        let rule = TransferRetryRule(attempts: 6, delay: 1, longestDelay: 5)
        #expect((1...6).map { rule.delay(afterFailures: $0, retryAfter: nil, jitter: 1) } == [1, 2, 4, 5, 5, nil])
        #expect(rule.delay(afterFailures: 3, retryAfter: nil, jitter: 0) == 2)
        #expect(rule.delay(afterFailures: 1, retryAfter: 60, jitter: 0) == 60)
        #expect(rule.delay(afterFailures: 1, retryAfter: .infinity, jitter: 0) == 86_400)
        #expect(rule.delay(afterFailures: 1, retryAfter: -5, jitter: 1) == 1)
    }

    @Test(
        "rules that make no sense are refused",
        arguments: [
            TransferRetryRule(attempts: 0), TransferRetryRule(delay: -1), TransferRetryRule(longestDelay: .nan),
        ])
    func senseless(rule: TransferRetryRule) {
        #expect(throws: TransferError.self) { try rule.validate() }
    }

    @Test(
        "quiet hours, also over midnight",
        arguments: [
            ("22:00-06:30", "21:59", false), ("22:00-06:30", "22:00", true), ("22:00-06:30", "00:00", true),
            ("22:00-06:30", "06:29", true), ("22:00-06:30", "06:30", false), ("08:00-18:00", "12:00", true),
            ("08:00-18:00", "18:00", false),
        ])
    func quietHours(hours: String, time: String, isQuiet: Bool) throws {
        let quiet = try #require(QuietHours(hours, timeZone: "Europe/Zurich"))
        let date = try Date("2024-06-01T\(time):00+02:00", strategy: .iso8601)
        #expect(quiet.contains(date) == isQuiet)
    }

    @Test(
        "values that are not hours are ignored",
        arguments: ["", "22:00", "22-06", "24:00-06:00", "22:00-22:00", "2:00-06:00", "22:60-06:00", "a-b"])
    func noQuietHours(text: String) { #expect(QuietHours(text) == nil) }

    @Test("the rate is smoothed, and a download that restarts does not make it negative")
    func estimates() {
        var rate = RateEstimate()
        func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }
        rate.add(0, at: at(0))
        #expect(rate.seconds(for: 100) == nil)
        rate.add(1000, at: at(1))
        #expect(rate.bytesPerSecond == 1000)
        rate.add(4000, at: at(2))
        #expect((1100...2000).contains(rate.bytesPerSecond))
        for second in Int64(3)..<60 { rate.add(4000 + 3000 * (second - 2), at: at(second)) }
        #expect(abs(rate.bytesPerSecond - 3000) < 1)
        #expect(abs((rate.seconds(for: 6000) ?? 0) - 2) < 0.01)
        rate.add(0, at: at(60))
        #expect(rate.bytesPerSecond >= 0)
    }

    @Test("two transfers share a rate fairly, regardless of their number of pieces")
    func limiter() async throws {
        let clock = VirtualClock(.automatic)
        let limiter = RateLimiter(bytesPerSecond: 1000, clock: clock)
        let start = clock.now
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { for _ in 0..<20 { try await limiter.acquire(100) } }
            }
            try await group.waitForAll()
        }
        // 4,000 bytes at 1,000 per second, of which the last 100 and a burst of 50 need not be waited for.
        let seconds = start.duration(to: clock.now).seconds
        #expect((3.7...4.0).contains(seconds), "\(seconds)")
    }

    @Test("removing the limit releases all pieces")
    func lifted() async throws {
        let clock = VirtualClock(.automatic)
        let limiter = RateLimiter(bytesPerSecond: 1, clock: clock)
        limiter.setRate(nil)
        try await limiter.acquire(1 << 30)
        #expect(clock.elapsed == .zero)
    }

    @Test("versions and limits of the draft are parsed from fields")
    func draftFields() {
        let (six, five): (HTTPFields, HTTPFields) = (
            [.uploadDraftInteropVersion: "6"], [.uploadDraftInteropVersion: "5"]
        )
        #expect(DraftVersion(six) == .six)
        #expect(DraftVersion(five) == nil)
        func limits(_ text: String) -> UploadLimits? {
            let fields: HTTPFields = [.uploadLimit: text]
            return UploadLimits(fields)
        }
        #expect(limits("max-size=10, max-append-size=5, expires=60")?.maximumAppendSize == 5)
        #expect(limits("max-size=-1")?.maximumSize == nil)
        #expect(limits("???") == nil)
        for (text, count) in [("5", 5), (" 7 ", 7), ("-1", nil), ("", nil), ("1x", nil)] as [(String, Int64?)] {
            let fields: HTTPFields = [.uploadOffset: text]
            #expect(fields.byteCount(.uploadOffset) == count)
        }
    }
}
