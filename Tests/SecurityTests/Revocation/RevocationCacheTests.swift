import Foundation
import Testing

@testable import AirframeSecurity

@Suite("The lifetime of cached answers about revocation")
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
}
