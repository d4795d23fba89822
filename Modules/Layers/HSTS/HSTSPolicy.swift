public import FoundationEssentials

/// The policy of one host that must be reached over TLS (RFC 6797 §5.3).
public struct HSTSPolicy: Sendable, Hashable, Codable {
    /// The host, in lower case and without a final dot.
    public let host: String
    /// Whether the policy also applies to all subdomains.
    public let includesSubdomains: Bool
    /// The date on which the policy expires; `nil` for a preloaded policy, which does not expire.
    public let expires: Date?

    /// Describes a policy.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - includesSubdomains: Whether the policy also applies to all subdomains.
    ///   - expires: The date on which the policy expires; `nil` for never.
    public init(host: String, includesSubdomains: Bool = false, expires: Date? = nil) {
        self.host = HostName.canonical(host)
        self.includesSubdomains = includesSubdomains
        self.expires = expires
    }

    /// Returns whether the policy is in force at `date`.
    func isCurrent(at date: Date) -> Bool { expires.map { $0 > date } ?? true }
}

/// A parsed `Strict-Transport-Security` field (RFC 6797 §6.1).
struct HSTSField: Hashable {
    let maximumAge: Int
    let includesSubdomains: Bool

    /// The maximum `max-age`, ten years.
    private static let longest = 10 * 365 * 86_400

    /// Parses a field; `nil` if it is malformed and must be ignored (§8.1).
    init?(_ text: String) {
        var seen: Set<String> = []
        var age: Int?
        var includesSubdomains = false
        guard let directives = Self.directives(in: text) else { return nil }
        for (name, value) in directives {
            guard seen.insert(name).inserted else { return nil }
            switch name {
            case "max-age":
                guard let value, !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return nil
                }
                age = min(Int(value) ?? .max, Self.longest)
            case "includesubdomains":
                guard value == nil else { return nil }
                includesSubdomains = true
            default: continue
            }
        }
        guard let age else { return nil }
        maximumAge = age
        self.includesSubdomains = includesSubdomains
    }

    /// Returns the directives with their values, without quotation marks; `nil` if a quoted value has no end.
    private static func directives(in text: String) -> [(name: String, value: String?)]? {
        var directives: [(String, String?)] = []
        var (name, value, current) = ("", String?.none, "")
        var (isQuoted, wasQuoted, isEscaped) = (false, false, false)
        // Whether `current` has more than spaces. A flag, because trimming `current` at each quotation mark would make
        // the work quadratic in the length of the field.
        var hasContent = false
        func word(_ text: String) -> String {
            String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
        }
        for character in text + ";" {
            if isQuoted {
                if isEscaped {
                    current.append(character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false
                } else {
                    current.append(character)
                }
                continue
            }
            switch character {
            case ";":
                if value != nil {
                    value = wasQuoted ? current : word(current)
                } else {
                    name = word(current).lowercased()
                }
                if !name.isEmpty { directives.append((name, value)) } else if value != nil { return nil }
                (name, value, current, wasQuoted, hasContent) = ("", nil, "", false, false)
            case "=" where value == nil:
                name = word(current).lowercased()
                (value, current, hasContent) = ("", "", false)
            case "\"" where value != nil && !hasContent && !wasQuoted:
                (isQuoted, wasQuoted, current) = (true, true, "")
            case " ", "\t":
                if !wasQuoted { current.append(character) }
            default:
                // Nothing may follow a quoted value.
                guard !wasQuoted else { return nil }
                current.append(character)
                hasContent = true
            }
        }
        return isQuoted ? nil : directives
    }
}
