public import HTTPTypes
internal import Synchronization

extension MockTransport {
    /// All requests so far, in the order in which they came, with their bodies as far as these were sent.
    public var requests: [RecordedRequest] { state.withLock { $0.history } }

    /// The last request.
    public var lastRequest: RecordedRequest? { state.withLock { $0.history.last } }

    /// The requests that `route` answered.
    public func requests(to route: Route) -> [RecordedRequest] {
        requests.filter { $0.route == route.identity }
    }

    /// The requests that the route of that name answered.
    public func requests(toRouteNamed name: String) -> [RecordedRequest] {
        requests.filter { $0.routeName == name }
    }

    /// The requests by method and path, whatever route answered them.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    public func requests(_ method: HTTPRequest.Method, _ pattern: String) -> [RecordedRequest] {
        requests(matching: Route(method, pattern))
    }

    /// The requests that `route` would match by its conditions, whatever route answered them; it need not be one of the
    /// transport's.
    public func requests(matching route: Route) -> [RecordedRequest] {
        requests.filter { route.candidate(for: $0).mismatches.isEmpty }
    }

    /// How often `route` was asked.
    public func hitCount(of route: Route) -> Int {
        state.withLock { $0.hits[route.identity] ?? 0 }
    }

    /// The routes that were never asked, in their order.
    public var unusedRoutes: [Route] {
        state.withLock { state in state.table.routes.filter { state.hits[$0.identity] == nil } }
    }

    /// The requests that no route expected, each with its difference from the nearest one.
    public var unmatchedReports: [String] { state.withLock { $0.unmatchedReports } }

    /// Forgets the requests so far, how often routes were asked, and where sequences and scenarios stand. Routes and
    /// connections stay.
    public func reset() {
        state.withLock { $0.reset() }
    }

    /// Checks at the end of a test that it went as expected.
    ///
    /// - Throws: ``MockVerificationError`` when a route was not asked as often as it said (``Route/expected(_:)``), or a
    ///   request was that no route expects.
    public func verify() throws(MockVerificationError) {
        let failures = state.withLock { state in
            let unmet = state.table.routes.compactMap { route -> String? in
                let count = state.hits[route.identity] ?? 0
                guard let expectation = route.expectation, !expectation.range.contains(count) else { return nil }
                return "\(route.name) was expected \(expectation) and was asked \(count) times"
            }
            return unmet + state.unmatchedReports
        }
        if !failures.isEmpty { throw MockVerificationError(failures: failures) }
    }
}

/// What went otherwise than a test's routes expected.
public struct MockVerificationError: Error, Sendable, CustomStringConvertible {
    /// The failures, one a route or a request.
    public let failures: [String]

    /// The failures, one below the other.
    public var description: String { failures.joined(separator: "\n") }
}
