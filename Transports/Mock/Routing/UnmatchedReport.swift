internal import AirframeTransport
internal import HTTPTypes

/// The report on a request that matched no route: its difference from the nearest one.
struct UnmatchedReport {
    let request: RecordedRequest
    let candidates: [RouteCandidate]

    /// A line for the request, a line for the nearest route, a line for each difference.
    var text: String {
        let head = "\(request.method) \(Redaction.url(request.urlText)) matches no route"
        guard let nearest = candidates.min(by: { $0.distance < $1.distance }) else {
            return "\(head): the mock has none"
        }
        let count = candidates.count
        let others = count > 1 ? " of \(count)" : ""
        let lines = nearest.mismatches.map(\.line)
        return (["\(head). Nearest\(others): \(nearest.route.name)"] + lines).joined(separator: "\n")
    }
}

extension RecordedRequest {
    /// The authority for a message, without user information; `none` if there is none.
    var shownAuthority: String {
        guard let authority = head.authority else { return "none" }
        guard Origin(head) != nil else { return Redaction.invalidURL(authority) }
        guard let mark = authority.lastIndex(of: "@") else { return authority }
        return String(authority[authority.index(after: mark)...])
    }
}

extension RouteCandidate {
    fileprivate var distance: Int { mismatches.reduce(0) { $0 + $1.distance } }
}
