internal import AirframeTransport
internal import HTTPTypes

/// The routes of a transport, in the order in which they are asked.
struct RoutingTable: Sendable {
    private(set) var routes: [Route]
    /// The place in which a route came to the transport: part of its seed.
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

    /// Whether some route that `request` may match can be judged only by the body.
    func needsBody(for request: RecordedRequest) -> Bool {
        routes.contains { route in
            route.conditions.contains(where: \.needsBody)
                && route.mismatches(with: request, includingBody: false).isEmpty
        }
    }
}

/// A route that may answer a request, as far as the request itself goes; its scenarios have yet to be asked.
struct RouteCandidate: Sendable {
    let route: Route
    let captures: Captures
    let mismatches: [Mismatch]
}

extension Route {
    /// How the route and a request fit together.
    func candidate(for request: RecordedRequest) -> RouteCandidate {
        let captures = target.path.match(request.path)
        var request = request
        request.captures = captures ?? Captures()
        let mismatches = mismatches(with: request, includingBody: true)
        return RouteCandidate(route: self, captures: request.captures, mismatches: mismatches)
    }

    /// The conditions that `request` does not meet.
    fileprivate func mismatches(with request: RecordedRequest, includingBody: Bool) -> [Mismatch] {
        var found: [Mismatch] = []
        if let method, method != request.method {
            found.append(.init(.method, expected: method.rawValue, actual: request.method.rawValue))
        }
        if let scheme = target.scheme, scheme != request.head.scheme?.lowercased() {
            found.append(.init(.scheme, expected: scheme, actual: request.head.scheme ?? "none"))
        }
        if let authority = target.authority, Origin(request.head).map(HostPattern(text: authority).matches) != true {
            found.append(.init(.host, expected: authority, actual: request.head.authority ?? "none"))
        }
        if target.path.match(request.path) == nil {
            let distance = target.path.distance(to: request.path)
            found.append(.init(.path, expected: target.path.text, actual: request.path, times: distance))
        }
        // A predicate of the user's is not bothered with requests that are for somewhere else.
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
