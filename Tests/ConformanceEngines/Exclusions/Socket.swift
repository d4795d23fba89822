import AirframeConformance

/// What AirframeSocket cannot do, and why.
package enum SocketExclusions {
    package static let all: [String: String] = [
        "trust.protocol.http2-only": noHTTP2
    ].merging(ConformanceSuite.cases.exclusions(of: .http2, because: noHTTP2)) { first, _ in first }

    private static let noHTTP2 = "the engine does not speak HTTP/2, and says so"
}

extension [ConformanceCase] {
    /// Excludes all cases of a group, for one reason.
    func exclusions(of group: ConformanceGroup, because reason: String) -> [String: String] {
        let names = filter { $0.group == group }.map(\.id)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, reason) })
    }
}
