import Foundation
import Testing

@testable import AirframeSecurity

@Suite("The lifetime of cached answers about revocation", .timeLimit(.minutes(5)))
struct RevocationCacheTests {
    private static let hour: Double = 3600
    private static let week: Double = 7 * 24 * 3600

    @Test(
        "is until the responder's next update, at most a week; an hour without one",
        arguments: [
            (nil, hour), (hour, hour), (week, week), (week + 1, week), (3e11, week), (.infinity, week), (-hour, -hour),
        ] as [(Double?, Double)]
    )
    func end(nextUpdate: Double?, expected: Double) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let date = nextUpdate.map { now.addingTimeInterval($0) }
        #expect(RevocationCache.end(date, from: now).timeIntervalSince(now) == expected)
    }

    @Test("a CRL is kept for its URL and its issuer, at most a week")
    func lists() throws {
        let pki = try PKI.made()
        let issuer = try pki.certificate("intermediate")
        let other = try pki.certificate("constrained")
        let cache = RevocationCache()
        let now = Date()
        // It holds for 30 days.
        cache.keep(try pki.lists("issuing.crl"), from: "http://crl.test/a", issuer: issuer, verifiedAt: now)
        func count(_ url: String, _ issuer: Certificate, after seconds: Double) -> Int? {
            cache.lists(from: url, issuer: issuer, at: now.addingTimeInterval(seconds))?.count
        }
        #expect(count("http://crl.test/a", issuer, after: Self.week - 60) == 1)
        #expect(count("http://crl.test/b", issuer, after: 0) == nil)
        #expect(count("http://crl.test/a", other, after: 0) == nil)
        #expect(count("http://crl.test/a", issuer, after: Self.week + 60) == nil)
    }

    @Test("a CRL that was verified for the past is not kept for the present")
    func past() throws {
        let pki = try PKI.made()
        let issuer = try pki.certificate("intermediate")
        let cache = RevocationCache()
        let now = Date()
        let past = now.addingTimeInterval(-2 * Self.week)
        cache.keep(try pki.lists("issuing.crl"), from: "http://crl.test/a", issuer: issuer, verifiedAt: past)
        #expect(cache.lists(from: "http://crl.test/a", issuer: issuer, at: past)?.count == 1)
        #expect(cache.lists(from: "http://crl.test/a", issuer: issuer, at: now) == nil)
    }
}
