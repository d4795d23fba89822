internal import AirframeTransport

/// The parsed text of a route: an optional scheme and host, a path, and optional query items.
struct RouteTarget: Sendable {
    let scheme: String?
    /// The host with an optional port. A leading `*.` stands for all names below.
    let authority: String?
    let path: PathPattern
    let query: [QueryItem]

    init(_ text: String) {
        var rest = text[...]
        if let separator = text.ranges(of: "://").first {
            scheme = text[..<separator.lowerBound].lowercased()
            rest = text[separator.upperBound...]
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            authority = rest[..<end].lowercased()
            rest = rest[end...]
        } else {
            scheme = nil
            authority = nil
        }
        let questionMark = rest.firstIndex(of: "?") ?? rest.endIndex
        path = PathPattern(String(rest[..<questionMark]))
        query = QueryItem.parse(rest[questionMark...].dropFirst())
    }
}

/// Whether a host pattern (`api.test`, `api.test:8080`, `*.api.test`) stands for an origin.
struct HostPattern: Sendable {
    let text: String

    func matches(_ origin: Origin) -> Bool {
        let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
        let pattern = text.lowercased()
        return [host, "\(host):\(origin.port)"].contains { candidate in
            pattern.hasPrefix("*.") ? candidate.hasSuffix(pattern.dropFirst()) : candidate == pattern
        }
    }
}
