internal import AirframeTransport
internal import HTTPTypes

/// The routes of a transport, in the order in which they are tried.
struct RoutingTable: Sendable {
    private(set) var routes: [Route]
    /// The number of the route in the order of addition, which is part of its seed.
    private var numbers: [Identity: Int] = [:]

    init(_ routes: [Route]) {
        self.routes = []
        for route in routes { append(route) }
    }

    /// Adds a route behind all others.
    mutating func append(_ route: Route) {
        numbers[route.identity] = numbers[route.identity] ?? numbers.count
        routes.append(route)
    }

    /// Adds a route before all others.
    mutating func prepend(_ route: Route) {
        numbers[route.identity] = numbers[route.identity] ?? numbers.count
        routes.insert(route, at: 0)
    }

    func number(of route: Route) -> Int { numbers[route.identity] ?? 0 }

    /// Returns whether a route that may match `request` needs the body.
    func needsBody(for request: RecordedRequest) -> Bool {
        routes.contains { route in
            route.conditions.contains(where: \.needsBody)
                && route.mismatches(with: request, includingBody: false).isEmpty
        }
    }
}

/// A route whose conditions a request meets, before its scenarios are checked.
struct RouteCandidate: Sendable {
    let route: Route
    let captures: Captures
    let mismatches: [Mismatch]
}

extension Route {
    /// The result of matching the route and a request.
    func candidate(for request: RecordedRequest) -> RouteCandidate {
        let captures = target.path.match(request.path)
        var request = request
        request.captures = captures ?? Captures()
        let mismatches = mismatches(with: request, includingBody: true)
        return RouteCandidate(route: self, captures: request.captures, mismatches: mismatches)
    }

    /// Returns the conditions that `request` does not meet.
    fileprivate func mismatches(with request: RecordedRequest, includingBody: Bool) -> [Mismatch] {
        var found: [Mismatch] = []
        if let method, method != request.method {
            found.append(.init(.method, expected: method.rawValue, actual: request.method.rawValue))
        }
        if let scheme = target.scheme, scheme != request.head.scheme?.lowercased() {
            found.append(.init(.scheme, expected: scheme, actual: request.head.scheme ?? "none"))
        }
        if let authority = target.authority, Origin(request.head).map(HostPattern(text: authority).matches) != true {
            found.append(.init(.host, expected: authority, actual: request.shownAuthority))
        }
        if target.path.match(request.path) == nil {
            let distance = target.path.distance(to: request.path)
            found.append(.init(.path, expected: target.path.text, actual: Redaction.url(request.path), times: distance))
        }
        // The user's predicates are not called for requests to other places.
        let judgesBody = includingBody && request.isComplete && found.isEmpty
        for condition in conditions where judgesBody || !condition.needsBody {
            guard let actual = condition.mismatch(request) else { continue }
            found.append(.init(condition.aspect, expected: condition.expected, actual: actual))
        }
        return found
    }
}

extension Mismatch {
    fileprivate init(_ aspect: Condition.Aspect, expected: String, actual: String, times: Int = 1) {
        self.init(aspect: aspect, expected: expected, actual: actual, distance: aspect.weight * max(1, times))
    }
}
