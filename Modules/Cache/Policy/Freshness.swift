internal import HTTPTypes

/// The freshness of a stored response (RFC 9111 §4.2), computed once when the response is stored.
struct Freshness: Sendable, Hashable {
    /// The number of seconds for which the response is fresh.
    let lifetime: Double
    /// Whether the lifetime is heuristic (§4.2.2).
    let isHeuristic: Bool
    /// The age at ``CacheEntry/responseTime``, in seconds (§4.2.3: `corrected_initial_age`).
    let initialAge: Double

    init(lifetime: Double, isHeuristic: Bool, initialAge: Double) {
        self.lifetime = lifetime
        self.isHeuristic = isHeuristic
        self.initialAge = initialAge
    }

    init(_ head: HTTPResponse, _ control: CacheControl, _ times: ExchangeTimes, policy: CachePolicy) {
        let fields = head.headerFields
        let date = fields[values: .date].first.flatMap { CalendarDate.seconds($0, now: times.response) }
        initialAge = Self.initialAge(fields, date: date, times)
        (lifetime, isHeuristic) = Self.lifetime(head, control, date: date ?? times.response, times, policy)
    }

    /// The age at `now`, in seconds.
    func age(at now: Double, _ times: ExchangeTimes) -> Double { initialAge + max(0, now - times.response) }

    private static func initialAge(_ fields: HTTPFields, date: Double?, _ times: ExchangeTimes) -> Double {
        let apparent = date.map { max(0, times.response - $0) } ?? 0
        // The first of several values counts (§5.1).
        let first = fields[values: .age].first.flatMap { FieldList.members(of: $0).first }
        let age = first.flatMap { DeltaSeconds.parse($0) } ?? 0
        let delay = max(0, times.response - times.request)
        return max(apparent, Double(age) + delay)
    }

    private static func lifetime(
        _ head: HTTPResponse,
        _ control: CacheControl,
        date: Double,
        _ times: ExchangeTimes,
        _ policy: CachePolicy
    ) -> (Double, Bool) {
        if policy.kind == .shared, let shared = control.sharedMaxAge { return (Double(shared.valid ?? 0), false) }
        if let maxAge = control.maxAge { return (Double(maxAge.valid ?? 0), false) }
        let expires = head.headerFields[values: .expires]
        if !expires.isEmpty {
            // Several values are invalid, like a value that is not a date (§5.3).
            guard expires.count == 1, let value = expires.first, let expiry = CalendarDate.seconds(value, now: date)
            else { return (0, false) }
            return (max(0, expiry - date), false)
        }
        guard head.status.isHeuristicallyCacheable || control.isPublic,
            let value = head.headerFields[values: .lastModified].first,
            let modified = CalendarDate.seconds(value, now: date), modified < date
        else { return (0, false) }
        return (min((date - modified) * policy.heuristicFraction, Double(policy.heuristicLimit)), true)
    }
}

/// The times of an exchange, in seconds since 1970.
struct ExchangeTimes: Sendable, Hashable {
    /// When the request was sent.
    var request: Double
    /// When the response's head arrived.
    var response: Double
}

extension HTTPResponse.Status {
    /// Whether responses with this status may be heuristically fresh (RFC 9110 §15.1).
    var isHeuristicallyCacheable: Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(code)
    }

    /// Whether this cache implements the caching rules of the status (RFC 9111 §3, `must-understand`).
    var isUnderstood: Bool {
        switch code {
        case 200...206, 300...308, 400...417, 421, 422, 426, 428, 429, 431, 451, 500...505, 511: true
        default: false
        }
    }
}

extension HTTPField.Name {
    // Stored, because each request to a cache with responses needs one, and a name takes 300 instructions to make.
    static let pragma = name("Pragma")
    static let cacheStatus = name("Cache-Status")
    static let noVarySearch = name("No-Vary-Search")

    /// A name that is known to be a token.
    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .cacheControl }
}
