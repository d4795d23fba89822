internal import AirframeLayers
internal import FoundationEssentials

/// The cookies of a jar by host, with limits on their number.
struct CookieTable: Sendable {
    private(set) var cookiesByHost: [String: [HTTPCookie]] = [:]
    private(set) var count = 0
    private var nextOrder: UInt64 = 0

    /// All cookies, the oldest first.
    var cookies: [HTTPCookie] {
        cookiesByHost.values.joined().sorted { ($0.creationDate, $0.order) < ($1.creationDate, $1.order) }
    }

    subscript(key: HTTPCookie.Key) -> HTTPCookie? {
        cookiesByHost[key.host]?.first { $0.key == key }
    }

    // MARK: Storing

    /// Inserts a cookie. It replaces one with the same key and takes over its creation date (§5.7).
    ///
    /// - Returns: The cookie as it is stored, and the one that was replaced.
    mutating func insert(_ cookie: HTTPCookie) -> (stored: HTTPCookie, replaced: HTTPCookie?) {
        var cookie = cookie
        let key = cookie.key
        cookie.order = nextOrder
        nextOrder += 1
        guard let index = cookiesByHost[cookie.host]?.firstIndex(where: { $0.key == key }) else {
            cookiesByHost[cookie.host, default: []].append(cookie)
            count += 1
            return (cookie, nil)
        }
        let replaced = cookiesByHost[cookie.host]?[index]
        if let replaced { (cookie.creationDate, cookie.order) = (replaced.creationDate, replaced.order) }
        cookiesByHost[cookie.host]?[index] = cookie
        return (cookie, replaced)
    }

    /// Removes the cookie of a key.
    @discardableResult
    mutating func remove(_ key: HTTPCookie.Key) -> HTTPCookie? {
        guard let index = cookiesByHost[key.host]?.firstIndex(where: { $0.key == key }) else { return nil }
        let removed = cookiesByHost[key.host]?.remove(at: index)
        if cookiesByHost[key.host]?.isEmpty == true { cookiesByHost[key.host] = nil }
        count -= 1
        return removed
    }

    /// Removes the cookies that satisfy `condition`.
    mutating func removeAll(where condition: (HTTPCookie) -> Bool) -> [HTTPCookie] {
        let removed = cookiesByHost.values.joined().filter(condition)
        for cookie in removed { remove(cookie.key) }
        return removed
    }

    /// Whether a cookie that was received without TLS would overlay or replace a `Secure` one (§5.7, "leave secure
    /// cookies alone").
    func hasSecureCookie(shadowedBy cookie: HTTPCookie) -> Bool {
        func isShadowed(_ stored: HTTPCookie) -> Bool {
            stored.isSecure && stored.name == cookie.name && CookieMatching.path(stored.path, matches: cookie.path)
        }
        if hosts(matching: cookie.host).contains(where: { cookiesByHost[$0]?.contains(where: isShadowed) == true }) {
            return true
        }
        // Subdomains cannot be found by key, so this visits all hosts.
        return cookiesByHost.contains { host, cookies in
            host != cookie.host && CookieMatching.domain(cookie.host, matches: host)
                && cookies.contains(where: isShadowed)
        }
    }

    // MARK: Limits

    /// Removes cookies that exceed the limits, in the order of §5.7: expired cookies; of a domain with too many
    /// cookies, those that are not `Secure`, then others; finally, of all cookies. Among equals the least recently used
    /// is removed first.
    mutating func enforceLimits(_ rules: CookieRules, for host: String, at date: Date) -> [HTTPCookie] {
        var removed: [HTTPCookie] = []
        if let ofHost = cookiesByHost[host], ofHost.count > rules.maximumPerDomain {
            for cookie in ofHost where cookie.isExpired(at: date) { removed.append(contentsOf: take(cookie.key)) }
            while let left = cookiesByHost[host], left.count > rules.maximumPerDomain {
                guard let victim = Self.leastRecent(left.lazy.filter { !$0.isSecure }) ?? Self.leastRecent(left) else {
                    break
                }
                removed.append(contentsOf: take(victim.key))
            }
        }
        guard count > rules.maximumTotal else { return removed }
        removed += removeAll { $0.isExpired(at: date) }
        while count > rules.maximumTotal, let victim = Self.leastRecent(cookiesByHost.values.joined()) {
            removed.append(contentsOf: take(victim.key))
        }
        return removed
    }

    private mutating func take(_ key: HTTPCookie.Key) -> [HTTPCookie] { remove(key).map { [$0] } ?? [] }

    private static func leastRecent(_ cookies: some Sequence<HTTPCookie>) -> HTTPCookie? {
        cookies.min { ($0.lastAccessDate, $0.order) < ($1.lastAccessDate, $1.order) }
    }

    // MARK: Finding

    /// Returns the cookies for a request, in the order of the `Cookie` field: longer paths first, then older cookies
    /// (§5.8.3).
    ///
    /// - Parameter marks: Whether the cookies are marked as used at `date`.
    mutating func cookies(for request: CookieRequest, rules: CookieRules, at date: Date, marks: Bool) -> [HTTPCookie] {
        var found: [HTTPCookie] = []
        // Computed for the first cookie that depends on it, because it looks up public suffixes.
        var sameSite: Bool?
        var partition: String?
        let isSecure = request.isEncrypted || (rules.trustsLocalhost && request.isLocalhost)
        for host in hosts(matching: request.host) {
            guard let stored = cookiesByHost[host] else { continue }
            let isOwnHost = host.utf8.count == request.host.utf8.count
            for (index, cookie) in stored.enumerated() {
                guard isOwnHost || !cookie.isHostOnly, isSecure || !cookie.isSecure,
                    request.isHTTP || !cookie.isHTTPOnly,
                    CookieMatching.path(cookie.path, matches: request.path), !cookie.isExpired(at: date)
                else { continue }
                if cookie.sameSitePolicy != .sameSiteNone, request.firstParty != nil {
                    let isSameSite = sameSite ?? request.isSameSite
                    sameSite = isSameSite
                    let isLax = cookie.sameSitePolicy != .sameSiteStrict
                    guard isSameSite || (isLax && request.isTopLevelNavigation && request.isSafe && request.isHTTP)
                    else { continue }
                }
                if let key = cookie.partitionKey {
                    let own = partition ?? request.partition
                    partition = own
                    guard key == own else { continue }
                }
                found.append(cookie)
                if marks { cookiesByHost[host]?[index].lastAccessDate = date }
            }
        }
        if found.count > 1 {
            found.sort { left, right in
                let (long, short) = (left.path.utf8.count, right.path.utf8.count)
                return long == short
                    ? (left.creationDate, left.order) < (right.creationDate, right.order) : long > short
            }
        }
        return found
    }

    /// The hosts whose cookies may be sent to `host`: itself and its parent domains.
    private func hosts(matching host: String) -> [String] {
        // An IP address has no parent domains.
        guard !HostName.isAddress(host) else { return [host] }
        return HostName.withAncestors(host).map { String($0) }
    }
}
