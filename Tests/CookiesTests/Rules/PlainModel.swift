import Foundation

/// RFC 6265bis as slow, plain code: a list of cookies and one statement for each rule, independent of the
/// implementation.
struct PlainModel {
    struct Cookie: Equatable {
        var name: String
        var value: String
        var domain: String
        var hostOnly: Bool
        var path: String
        var secure: Bool
        var httpOnly: Bool
        var sameSite: String
        var expiry: Double?
        var created: Int
    }

    struct Place {
        var scheme: String
        var host: String
        var path: String
        /// The host of the document that the request belongs to.
        var party: (scheme: String, host: String)?
        var navigates = false
        var safe = true
    }

    struct Attributes {
        var name: String
        var value: String
        var domain: String?
        var path: String?
        var secure = false
        var httpOnly = false
        var sameSite: String?
        var maxAge: Int?

        var field: String {
            var parts = ["\(name)=\(value)"]
            if let domain { parts.append("Domain=\(domain)") }
            if let path { parts.append("Path=\(path)") }
            if secure { parts.append("Secure") }
            if httpOnly { parts.append("HttpOnly") }
            if let sameSite { parts.append("SameSite=\(sameSite)") }
            if let maxAge { parts.append("Max-Age=\(maxAge)") }
            return parts.joined(separator: "; ")
        }
    }

    /// The public suffixes among the hosts of the test.
    static let suffixes = ["com", "co.uk", "uk", "github.io", "io", "test", "localhost"]

    var cookies: [Cookie] = []
    private var clock = 0

    static func isAddress(_ host: String) -> Bool { host.first?.isNumber == true }

    static func isWithin(_ host: String, _ domain: String) -> Bool {
        host == domain || (!isAddress(host) && host.hasSuffix("." + domain))
    }

    static func isUnder(_ path: String, _ cookiePath: String) -> Bool {
        path == cookiePath || (path.hasPrefix(cookiePath) && cookiePath.hasSuffix("/"))
            || path.hasPrefix(cookiePath + "/")
    }

    static func site(_ host: String) -> String {
        if isAddress(host) { return host }
        let labels = host.split(separator: ".").map(String.init)
        for start in labels.indices {
            let rest = labels[start...].joined(separator: ".")
            if suffixes.contains(rest) { return start == 0 ? host : labels[(start - 1)...].joined(separator: ".") }
        }
        return host
    }

    static func isSameSite(_ place: Place) -> Bool {
        guard let party = place.party else { return true }
        let isSecure = place.scheme == "https"
        return (party.scheme == "https") == isSecure && site(party.host) == site(place.host)
    }

    static func isTrusted(_ place: Place) -> Bool {
        place.scheme == "https" || place.host == "localhost" || place.host.hasSuffix(".localhost")
    }

    mutating func receive(_ sent: Attributes, from place: Place, at now: Double) {
        clock += 1
        var domain = (sent.domain ?? "").lowercased()
        if domain.hasPrefix(".") { domain.removeFirst() }
        if Self.suffixes.contains(domain) {
            if domain != place.host { return }
            domain = ""
        }
        if !domain.isEmpty, !Self.isWithin(place.host, domain) { return }
        var path = sent.path ?? ""
        if !path.hasPrefix("/") {
            let parts = place.path.components(separatedBy: "/").dropLast()
            path = parts.joined(separator: "/")
            if path.isEmpty { path = "/" }
        }
        var new = Cookie(
            name: sent.name, value: sent.value, domain: domain.isEmpty ? place.host : domain,
            hostOnly: domain.isEmpty || Self.isAddress(place.host), path: path, secure: sent.secure,
            httpOnly: sent.httpOnly, sameSite: sent.sameSite ?? "default",
            expiry: sent.maxAge.map { $0 <= 0 ? -1 : now + Double(min($0, 400 * 86_400)) }, created: clock)
        if new.secure, !Self.isTrusted(place) { return }
        if !new.secure, !Self.isTrusted(place) {
            let isBlocked = cookies.contains { old in
                old.name == new.name && old.secure && Self.isUnder(new.path, old.path)
                    && (Self.isWithin(old.domain, new.domain) || Self.isWithin(new.domain, old.domain))
            }
            if isBlocked { return }
        }
        if new.sameSite != "none", !Self.isSameSite(place), !place.navigates { return }
        if new.sameSite == "none", !new.secure { return }
        if new.name.lowercased().hasPrefix("__secure-"), !new.secure { return }
        if new.name.lowercased().hasPrefix("__host-") {
            if !new.secure || !domain.isEmpty || sent.path != "/" { return }
        }
        let same = cookies.firstIndex { old in
            old.name == new.name && old.domain == new.domain && old.hostOnly == new.hostOnly && old.path == new.path
        }
        if let same {
            new.created = cookies[same].created
            cookies.remove(at: same)
        }
        if let expiry = new.expiry, expiry <= now { return }
        cookies.append(new)
    }

    func field(for place: Place, at now: Double) -> String {
        let found = cookies.filter { cookie in
            if cookie.hostOnly ? place.host != cookie.domain : !Self.isWithin(place.host, cookie.domain) {
                return false
            }
            if !Self.isUnder(place.path, cookie.path) { return false }
            if cookie.secure, !Self.isTrusted(place) { return false }
            if let expiry = cookie.expiry, expiry <= now { return false }
            if cookie.sameSite == "none" || Self.isSameSite(place) { return true }
            return cookie.sameSite != "strict" && place.navigates && place.safe
        }
        let sorted = found.sorted { left, right in
            left.path.count != right.path.count ? left.path.count > right.path.count : left.created < right.created
        }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
