internal import AirframeTransport

/// An ability that a case examines. An engine claims the levels that it supports; see ``ConformanceEngine``.
public enum ConformanceLevel: String, Sendable, CaseIterable, Codable {
    /// Sends and receives messages exactly, reports errors, and supports cancellation.
    case exchange
    /// Reads bodies as the caller pulls them and sends bodies as the connection takes them.
    case streaming
    /// Reports events in order, and describes the connection of each response.
    case events
    /// Reuses connections, limits their number, enforces time limits, and leaves nothing behind.
    case connections
    /// Speaks TLS, evaluates trust, and presents identities.
    case trust
    /// Supports versions of HTTP other than HTTP/1.1.
    case versions
}

extension ConformanceLevel {
    /// The level that all cases of a group examine.
    init(_ group: ConformanceGroup) {
        switch group {
        case .events: self = .events
        case .backpressure, .halfread, .duplex, .upgrade: self = .streaming
        case .limits, .reuse, .concurrency, .resources: self = .connections
        case .trust: self = .trust
        default: self = group.rawValue.hasPrefix("http") ? .versions : .exchange
        }
    }

    /// The levels that a case with these needs examines in addition to that of its group.
    static func levels(for features: TransportFeatures) -> Set<ConformanceLevel> {
        var levels: Set<ConformanceLevel> = []
        // An informational response is an event.
        if features.contains(.informationalResponses) { levels.insert(.events) }
        if !features.isDisjoint(with: tlsFeatures) { levels.insert(.trust) }
        if !features.isDisjoint(with: versionFeatures) { levels.insert(.versions) }
        return levels
    }

    /// The claims that the capabilities of an engine permit.
    static func permitted(by features: TransportFeatures) -> Set<ConformanceLevel> {
        var levels = Set(allCases)
        if !features.contains(.tls) { levels.remove(.trust) }
        if features.isDisjoint(with: versionFeatures) { levels.remove(.versions) }
        return levels
    }

    private static let tlsFeatures: TransportFeatures = [
        .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds, .customRoots,
    ]
    private static let versionFeatures: TransportFeatures = [.http2, .http2PriorKnowledge, .http3]
}

extension ConformanceLevel: Comparable {
    /// The order of the declaration: a case that examines several levels is counted at the last of them.
    public static func < (one: ConformanceLevel, other: ConformanceLevel) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }
}
