internal import AirframeTransport
internal import Synchronization

/// The latest response times of each origin.
///
/// A class, because the requests of a layer share what they measure. It keeps the last 128 times of at most 256
/// origins.
final class ResponseTimes: Sendable {
    /// The latest times of one origin. A new time replaces the oldest.
    private struct Ring {
        private(set) var times: [Duration] = []
        private var next = 0

        mutating func add(_ time: Duration) {
            if times.count < ResponseTimes.sampleLimit {
                times.append(time)
            } else {
                times[next] = time
                next = (next + 1) % ResponseTimes.sampleLimit
            }
        }
    }

    private static let sampleLimit = 128
    private static let originLimit = 256

    // Guards the times of all origins.
    private let rings = Mutex<[Origin: Ring]>([:])

    /// Adds a time. A new origin replaces an arbitrary one when the limit is reached.
    func add(_ time: Duration, of origin: Origin) {
        rings.withLock { rings in
            if rings[origin] == nil, rings.count >= Self.originLimit { rings.remove(at: rings.startIndex) }
            rings[origin, default: Ring()].add(time)
        }
    }

    /// Returns a percentile of the origin's times by the nearest-rank method; `nil` when there are too few.
    func percentile(_ percentile: Double, of origin: Origin) -> Duration? {
        let times = rings.withLock { $0[origin]?.times ?? [] }
        guard times.count >= HedgeDelay.minimumSamples else { return nil }
        let share = percentile.isFinite ? min(max(percentile, 0), 100) / 100 : 1
        let rank = Int((share * Double(times.count)).rounded(.up))
        return times.sorted()[min(max(rank, 1), times.count) - 1]
    }
}
