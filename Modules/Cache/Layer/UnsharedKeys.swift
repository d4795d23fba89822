internal import AirframeTransport

/// The resources whose last response could not be shared. Concurrent requests for them do not wait for one another.
///
/// The table has a fixed size. A key replaces an earlier one in the same place; requests for the earlier one then wait
/// for one response before they are sent.
struct UnsharedKeys {
    private struct Place {
        var hash: UInt64 = 0
        /// The instant at which the request for the response reached the cache.
        var arrival = MonotonicInstant(nanoseconds: .min)
    }

    private static let count = 256
    /// The time after a request for which its response counts. Twice the usual duration of a long poll, so that a
    /// record lasts until the next poll has ended.
    static let lifetime = Duration.seconds(120)

    /// Empty until the first record.
    private var places: [Place] = []

    /// Records that the response to a request could not be shared.
    ///
    /// - Parameters:
    ///   - hash: The hash of the request's key.
    ///   - arrival: The instant at which the request reached the cache.
    mutating func record(_ hash: UInt64, at arrival: MonotonicInstant) {
        if places.isEmpty { places = [Place](repeating: Place(), count: Self.count) }
        places[Self.index(of: hash)] = Place(hash: hash, arrival: arrival)
    }

    /// Whether a response for the key with `hash` could not be shared shortly before `now`.
    func contains(_ hash: UInt64, at now: MonotonicInstant) -> Bool {
        guard !places.isEmpty else { return false }
        let place = places[Self.index(of: hash)]
        return place.hash == hash && now < place.arrival.advanced(by: Self.lifetime)
    }

    private static func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash & UInt64(count - 1)) }
}
