internal import AirframeLayers
internal import FoundationEssentials

/// A cookie that a response set, after all checks that do not depend on stored cookies (RFC 6265bis §5.7).
struct ReceivedCookie {
    let cookie: HTTPCookie
    /// Whether it was received over a connection that counts as secure.
    let cameSecurely: Bool

    /// Parses and checks a `Set-Cookie` field.
    ///
    /// - Throws: The rejection.
    init(
        _ text: String,
        request: CookieRequest,
        rules: CookieRules,
        at date: Date
    ) throws(CookieRejection) {
        let field: SetCookieField
        do throws(CookieRejection.Reason) {
            field = try SetCookieField(text)
        } catch {
            throw CookieRejection("", request.host, error)
        }
        do throws(CookieRejection.Reason) {
            let domain = try Self.domain(of: field, for: request)
            cameSecurely = request.isEncrypted || (rules.trustsLocalhost && request.isLocalhost)
            let isPartitioned = rules.partitionsCookies && field.isPartitioned
            cookie = HTTPCookie(
                name: field.name,
                value: field.value,
                host: domain ?? request.host,
                // An IP address has no subdomains.
                isHostOnly: domain.map(HostName.isAddress) ?? true,
                path: field.path ?? CookieMatching.defaultPath(of: request.path),
                expires: Self.expiry(of: field, rules: rules, at: date),
                isSecure: field.isSecure,
                isHTTPOnly: field.isHTTPOnly,
                sameSite: field.sameSite,
                partitionKey: isPartitioned ? request.partition : nil,
                created: date
            )
            try Self.judge(cookie, field, request, cameSecurely, hasDomain: domain != nil)
        } catch {
            throw CookieRejection(field.name, field.domain ?? request.host, error)
        }
    }

    /// The domain that the cookie is for; `nil` for a host-only cookie.
    private static func domain(
        of field: SetCookieField,
        for request: CookieRequest
    ) throws(CookieRejection.Reason) -> String? {
        guard let domain = field.domain else { return nil }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformedDomain }
        if PublicSuffixes.contains(domain) {
            // A public suffix may set host-only cookies for itself.
            guard domain == request.host else { throw .publicSuffix }
            return nil
        }
        guard CookieMatching.domain(domain, matches: request.host) else { throw .foreignDomain }
        return domain
    }

    /// The expiry. `Max-Age` takes precedence over `Expires`; both are limited by the longest lifetime (§5.5).
    private static func expiry(of field: SetCookieField, rules: CookieRules, at date: Date) -> Date? {
        let limit = date.addingTimeInterval(rules.longestLifetime)
        if let seconds = field.maximumAge {
            return seconds <= 0 ? .distantPast : min(date.addingTimeInterval(Double(seconds)), limit)
        }
        return field.expires.map { min($0, limit) }
    }

    private static func judge(
        _ cookie: HTTPCookie,
        _ field: SetCookieField,
        _ request: CookieRequest,
        _ cameSecurely: Bool,
        hasDomain: Bool
    ) throws(CookieRejection.Reason) {
        // `SetCookieField` has checked the name and the value. A store could not restore the cookie.
        guard cookie.isStorable else { throw .malformedHostOrPath }
        guard cameSecurely || !cookie.isSecure else { throw .insecure }
        guard request.isHTTP || !cookie.isHTTPOnly else { throw .httpOnly }
        if cookie.sameSitePolicy != .sameSiteNone {
            guard request.isSameSite || (request.isHTTP && request.isTopLevelNavigation) else { throw .crossSite }
        } else if !cookie.isSecure {
            throw .sameSiteNoneNeedsSecure
        }
        guard cookie.partitionKey == nil || cookie.isSecure else { throw .partitionedNeedsSecure }
        // A server that parses the field reads the value of a nameless cookie as its name.
        let shown = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
        if shown.hasPrefix("__secure-") {
            guard !cookie.name.isEmpty, cookie.isSecure else { throw .prefix }
        } else if shown.hasPrefix("__host-") {
            guard !cookie.name.isEmpty, cookie.isSecure, !hasDomain, field.path == "/"
            else { throw .prefix }
        }
    }
}
