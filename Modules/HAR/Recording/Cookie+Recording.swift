internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension HAR.Cookie {
    /// Returns the cookies of a request (RFC 6265 §4.2).
    static func sent(in fields: HTTPFields, _ redaction: RedactionPolicy) -> [HAR.Cookie] {
        let isSecret = redaction.isSecret(field: .cookie)
        return fields[values: .cookie].flatMap { value in
            parts(of: value).compactMap { pair in HAR.Cookie(pair: pair, isSecret: isSecret) }
        }
    }

    /// Returns the cookies that a response sets (RFC 6265 §4.1).
    static func set(in fields: HTTPFields, at date: Date, _ redaction: RedactionPolicy) -> [HAR.Cookie] {
        let isSecret = redaction.isSecret(field: .setCookie)
        return fields[values: .setCookie].compactMap { value in
            let parts = parts(of: value)
            guard let pair = parts.first, var cookie = HAR.Cookie(pair: pair, isSecret: isSecret) else { return nil }
            cookie.httpOnly = false
            cookie.secure = false
            for attribute in parts.dropFirst() { cookie.take(attribute, at: date) }
            return cookie
        }
    }

    private static func parts(of value: String) -> [Substring] {
        value.utf8.split(separator: UInt8(ascii: ";")).map { Substring($0) }
    }

    private init?(pair: Substring, isSecret: Bool) {
        let (name, value) = Self.split(pair)
        guard !name.isEmpty else { return nil }
        // Names are redacted too: the text before a `=` can be part of a secret.
        self.init(
            name: isSecret ? RedactionPolicy.placeholder : name,
            value: isSecret ? RedactionPolicy.placeholder : value ?? ""
        )
    }

    private mutating func take(_ attribute: Substring, at date: Date) {
        let (name, value) = Self.split(attribute)
        switch name.lowercased() {
        case "path": path = value
        case "domain": domain = value
        case "httponly": httpOnly = true
        case "secure": secure = true
        case "samesite": custom["_sameSite"] = value.map { .string($0) }
        // Max-Age takes precedence (RFC 6265 §4.1.2.2).
        case "max-age":
            if let seconds = value.flatMap(Double.init), seconds.isFinite {
                expires = date.addingTimeInterval(min(max(seconds, 0), 3e9))
            }
        case "expires": expires = expires ?? value.flatMap(Self.date)
        default: break
        }
    }

    private static func split(_ pair: Substring) -> (name: String, value: String?) {
        guard let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (trimmed(pair), nil) }
        return (trimmed(pair[..<equals]), trimmed(pair[pair.utf8.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        let front = text.drop { $0 == " " || $0 == "\t" }
        return String(front.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    /// Parses a date of HTTP (RFC 9110 §5.6.7): `Wed, 21 Oct 2026 07:28:00 GMT`, or with hyphens, which are common in
    /// cookies.
    private static func date(_ text: String) -> Date? {
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let parts = text.split { ", -".contains($0) }
        guard parts.count >= 5, let month = months.firstIndex(of: parts[2].lowercased()) else { return nil }
        let day = parts[1].count == 1 ? "0\(parts[1])" : String(parts[1])
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return HAR.Timestamp.date("\(parts[3])-\(number)-\(day)T\(parts[4])Z")
    }
}
