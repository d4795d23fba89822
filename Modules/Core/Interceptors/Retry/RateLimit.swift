internal import AirframeTransport
public import Foundation
internal import HTTPTypes

/// The current state of one quota of a server: an item of a `RateLimit` field
/// (draft-ietf-httpapi-ratelimit-headers §4).
public struct RateLimit: Sendable, Hashable {
    /// The name of the policy that the quota belongs to.
    public let policy: String
    /// The quota units that are left.
    public let remaining: Int
    /// The seconds until the quota is reset; `nil` if the server does not report it.
    public let reset: TimeInterval?
    /// The partition of the quota, for example that of one user; `nil` for the whole.
    public let partitionKey: Data?
}

/// A quota that a server enforces: an item of a `RateLimit-Policy` field (draft-ietf-httpapi-ratelimit-headers §3).
public struct RateLimitPolicy: Sendable, Hashable {
    /// The policy's name.
    public let name: String
    /// The quota units of one window.
    public let quota: Int
    /// The unit of the quota; `requests` by default.
    public let unit: String
    /// The length of a window in seconds; `nil` if the server does not report it.
    public let window: TimeInterval?
    /// The partition of the quota, for example that of one user; `nil` for the whole.
    public let partitionKey: Data?
}

extension HTTPURLResponse {
    /// The quotas of the response's `RateLimit` field. A malformed field counts as absent, as does an item without a
    /// valid number of units.
    public var rateLimits: [RateLimit] {
        items(of: "RateLimit").compactMap { item in
            guard case .string(let policy) = item.value, let remaining = item.count("r") else { return nil }
            return RateLimit(
                policy: policy, remaining: remaining, reset: item.count("t").map(TimeInterval.init),
                partitionKey: item.bytes("pk")
            )
        }
    }

    /// The policies of the response's `RateLimit-Policy` field. A malformed field counts as absent, as does an item
    /// without a valid quota.
    public var rateLimitPolicies: [RateLimitPolicy] {
        items(of: "RateLimit-Policy").compactMap { item in
            guard case .string(let name) = item.value, let quota = item.count("q") else { return nil }
            var unit = "requests"
            if case .string(let text) = item.parameters["qu"] { unit = text }
            return RateLimitPolicy(
                name: name, quota: quota, unit: unit, window: item.count("w").map(TimeInterval.init),
                partitionKey: item.bytes("pk")
            )
        }
    }

    /// The seconds until no quota is exhausted; `nil` if none is, or the server does not report a time.
    ///
    /// A quota without a reset time is exhausted for at most one window of its policy.
    var rateLimitDelay: TimeInterval? {
        let exhausted = rateLimits.filter { $0.remaining == 0 }
        guard !exhausted.isEmpty else { return nil }
        // Of several policies with one name the first one counts.
        let policies = Dictionary(rateLimitPolicies.map { ($0.name, $0) }) { first, _ in first }
        return exhausted.compactMap { limit in limit.reset ?? policies[limit.policy]?.window }.max()
    }

    private func items(of name: String) -> [StructuredItem] {
        guard let text = value(forHTTPHeaderField: name),
            let members = try? StructuredFieldParser.list(text)
        else { return [] }
        return members.compactMap { if case .item(let item) = $0 { item } else { nil } }
    }
}

extension StructuredItem {
    /// Returns a parameter that is a non-negative integer.
    fileprivate func count(_ key: String) -> Int? {
        guard case .integer(let value) = parameters[key], value >= 0 else { return nil }
        return value
    }

    fileprivate func bytes(_ key: String) -> Data? {
        guard case .bytes(let data) = parameters[key] else { return nil }
        return data
    }
}
