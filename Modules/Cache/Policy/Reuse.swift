internal import AirframeLayers
internal import AirframeTransport
internal import HTTPTypes

/// The way in which a request is answered, given the responses stored for its URI (RFC 9111 §4).
enum Reuse: Sendable {
    /// Serve the stored response.
    case serve(CacheEntry, staleness: Staleness, reason: Reason)
    /// Ask the server whether the stored response is current.
    case validate(CacheEntry, reason: String)
    /// Request the bytes that a stored part lacks from the server.
    case complete(CacheEntry, from: Int64)
    /// Send the request to the server.
    case forward(CacheStatus.Forward, reason: String)
    /// Fail: only the cache may answer, and it has no response.
    case unavailable(reason: String)

    /// The reason to serve a stored response. Its text is formatted only for requests that report events.
    enum Reason: Sendable {
        case fresh(seconds: Double, isHeuristic: Bool)
        case words(String)

        var text: String {
            switch self {
            case .fresh(let seconds, let isHeuristic):
                "\(isHeuristic ? "heuristically fresh" : "fresh") for \(Int(min(seconds, 1e12))) more seconds"
            case .words(let words): words
            }
        }
    }

    /// The freshness of a stored response that is served.
    enum Staleness: Sendable, Hashable {
        case fresh
        /// Stale; the request or its policy allows that.
        case allowed
        /// Stale; the response is validated in the background (RFC 5861 §3).
        case whileRevalidating
    }

    /// Chooses the way to answer a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - entries: The responses stored under its URI.
    ///   - use: The request's setting for caches.
    ///   - policy: The cache's rules.
    ///   - now: The date, in seconds since 1970.
    init(_ request: HTTPRequest, _ entries: [CacheEntry], use: CacheUse, policy: CachePolicy, now: Double) {
        let control = CacheControl(request.headerFields[values: .cacheControl])
        let isOnlyCached = use == .onlyCached || control.onlyIfCached
        let proposed = Self.proposal(request, control, entries, use: use, policy: policy, now: now)
        switch proposed {
        case .serve: self = proposed
        case .forward(_, let reason) where isOnlyCached: self = .unavailable(reason: reason)
        case .validate(_, let reason) where isOnlyCached: self = .unavailable(reason: reason)
        case .complete where isOnlyCached: self = .unavailable(reason: "only a part of the response is stored")
        default: self = proposed
        }
    }

    private static func proposal(
        _ request: HTTPRequest,
        _ control: CacheControl,
        _ entries: [CacheEntry],
        use: CacheUse,
        policy: CachePolicy,
        now: Double
    ) -> Reuse {
        switch use {
        case .reload: return .forward(.request, reason: "the request ignores stored responses")
        case .reloadEverywhere: return .forward(.request, reason: "the request ignores all caches")
        case .byProtocol, .preferCached, .onlyCached, .revalidate: break
        }
        if control.noStore { return .forward(.request, reason: "the request says no-store") }
        guard !entries.isEmpty else { return .forward(.uriMiss, reason: "nothing is stored for the URI") }
        guard let entry = select(matching(request, entries, policy), for: request, now: now) else {
            return .forward(.varyMiss, reason: "the stored responses are for requests with other fields")
        }
        if let reuse = range(request, entry) { return reuse }
        return judge(request, control, entry, use: use, policy: policy, now: now)
    }

    /// The responses with the variant of a request (§4.1).
    private static func matching(
        _ request: HTTPRequest,
        _ entries: [CacheEntry],
        _ policy: CachePolicy
    ) -> [CacheEntry] {
        let matching = entries.indices.filter { index in
            entries[index].variant.matches(
                request, language: entries[index].head.headerFields[.contentLanguage], policy: policy)
        }
        // Most resources have one variant. Copying an entry takes 400 instructions.
        return matching.count == entries.count ? entries : matching.map { entries[$0] }
    }

    /// The preferred one of several responses. A complete response takes precedence over a part; a range may also be
    /// answered by a part that contains all of it.
    private static func select(_ entries: [CacheEntry], for request: HTTPRequest, now: Double) -> CacheEntry? {
        guard entries.count > 1 else { return entries.first }
        let range = request.headerFields[.range].flatMap(RequestedRange.init)
        let answering = entries.filter { entry in
            entry.part == nil || range?.slice(of: entry.part, length: entry.contentLength) != nil
        }
        return (answering.isEmpty ? entries : answering).preferred(at: now)
    }

    /// The decision that a range or a stored part leads to; `nil` if neither affects the request.
    private static func range(_ request: HTTPRequest, _ entry: CacheEntry) -> Reuse? {
        let fields = request.headerFields
        guard fields.has(.range), request.method == .get, let field = fields[.range] else {
            guard let part = entry.part else { return nil }
            guard part.first == 0, !part.reachesEnd, request.method == .get, !Validation.isConditional(request) else {
                return .forward(.partial, reason: "only a part of the response is stored")
            }
            return .complete(entry, from: entry.contentLength)
        }
        guard let range = RequestedRange(field) else {
            return .forward(.partial, reason: "the range is one that the server answers")
        }
        guard range.slice(of: entry.part, length: entry.contentLength) != nil,
            entry.part != nil || entry.head.status.code == 200
        else { return .forward(.partial, reason: "the stored response lacks bytes of the range") }
        guard Validation.allowsRange(request, of: entry) else {
            return .forward(.partial, reason: "If-Range names another representation")
        }
        return nil
    }

    private static func judge(
        _ request: HTTPRequest,
        _ control: CacheControl,
        _ entry: CacheEntry,
        use: CacheUse,
        policy: CachePolicy,
        now: Double
    ) -> Reuse {
        if use == .preferCached || use == .onlyCached {
            let words = "the request prefers stored responses regardless of their age"
            return .serve(entry, staleness: .allowed, reason: .words(words))
        }
        let age = entry.age(at: now)
        let lifetime = entry.freshness.lifetime
        let isFresh = age < lifetime
        if let reason = demand(control, request, entry, use: use, age: age) { return .validate(entry, reason: reason) }
        let remaining = lifetime - age
        if isFresh, remaining >= Double(control.minFresh?.valid ?? 0) {
            let reason = Reason.fresh(seconds: remaining, isHeuristic: entry.freshness.isHeuristic)
            return .serve(entry, staleness: .fresh, reason: reason)
        }
        if isFresh { return .validate(entry, reason: "the response is not fresh for as long as min-fresh asks") }
        return stale(control, entry, staleness: age - lifetime, policy: policy)
    }

    /// The reason to validate a response even if it is fresh (§5.2.1, §5.2.2.4, §5.4).
    private static func demand(
        _ control: CacheControl,
        _ request: HTTPRequest,
        _ entry: CacheEntry,
        use: CacheUse,
        age: Double
    ) -> String? {
        if entry.control.noCache == .response { return "the response says no-cache" }
        if control.noCache != nil { return "the request says no-cache" }
        let fields = request.headerFields
        if fields.has(.pragma), !fields.has(.cacheControl),
            fields[.pragma]?.lowercased().contains("no-cache") == true
        {
            return "the request says Pragma: no-cache"
        }
        // A reload need not validate a response that will not change (RFC 8246 §2).
        if entry.control.isImmutable, age < entry.freshness.lifetime { return nil }
        if use == .revalidate { return "the request wants the response confirmed" }
        if let limit = control.maxAge, age > Double(limit.valid ?? 0) || limit == .value(0) {
            return "the response is older than the request's max-age"
        }
        return nil
    }

    private static func stale(
        _ control: CacheControl,
        _ entry: CacheEntry,
        staleness: Double,
        policy: CachePolicy
    ) -> Reuse {
        let seconds = Int(min(staleness, 1e12))
        guard !entry.forbidsStale(policy) else {
            return .validate(entry, reason: "stale for \(seconds) seconds, and the response must be revalidated")
        }
        if let limit = control.maxStale?.valid, staleness <= Double(limit) {
            let words = "stale for \(seconds) seconds, which max-stale allows"
            return .serve(entry, staleness: .allowed, reason: .words(words))
        }
        // The request's limits on staleness take precedence over the response's permission (RFC 9111 §5.2.1).
        let isLimited = control.maxStale != nil || control.minFresh != nil
        if !isLimited, let window = entry.control.staleWhileRevalidate?.valid, staleness <= Double(window) {
            return .serve(
                entry, staleness: .whileRevalidating, reason: .words("stale for \(seconds) seconds, while revalidating")
            )
        }
        return .validate(entry, reason: "stale for \(seconds) seconds")
    }
}

extension [CacheEntry] {
    /// Returns the response for a request that selects all of these: the most recent one that `Vary` selects and that
    /// answers without validation, or else the most recent one. A newer response without `Vary` may be the default of a
    /// server that omits the field there (RFC 9111 §4.1).
    ///
    /// A response with `Vary` that needs a validation has no precedence: once the server has ceased to send the field,
    /// no response replaces it, and every request would validate it.
    func preferred(at now: Double) -> CacheEntry? {
        let selected = filter { $0.variant.hasFields && $0.answersWithoutValidation(at: now) }
        return (selected.isEmpty ? self : selected).max { $0.times.response < $1.times.response }
    }
}

extension CacheEntry {
    fileprivate func answersWithoutValidation(at now: Double) -> Bool {
        control.noCache != .response && age(at: now) < freshness.lifetime
    }

    /// Whether the response must never be served stale (RFC 9111 §4.2.4).
    func forbidsStale(_ policy: CachePolicy) -> Bool {
        if control.mustRevalidate || control.noCache == .response { return true }
        guard policy.kind == .shared else { return false }
        return control.proxyRevalidate || control.sharedMaxAge != nil
    }

    /// Whether the response may be served when the server fails (RFC 5861 §4).
    func mayServeOnError(_ request: HTTPRequest, policy: CachePolicy, now: Double) -> Bool {
        guard !forbidsStale(policy) else { return false }
        let asked = CacheControl(request.headerFields[values: .cacheControl]).staleIfError?.valid
        let allowed = control.staleIfError?.valid
        let window = max(asked ?? 0, allowed ?? policy.staleIfErrorSeconds)
        return window > 0 && age(at: now) - freshness.lifetime <= Double(window)
    }
}
