public import HTTPTypes
internal import Synchronization

extension MockTransport {
    /// All requests so far in the order of their arrival, with the sent parts of their bodies.
    public var requests: [RecordedRequest] { state.withLock { $0.history } }

    /// The last request.
    public var lastRequest: RecordedRequest? { state.withLock { $0.history.last } }

    /// Returns the requests that `route` answered.
    public func requests(to route: Route) -> [RecordedRequest] {
        requests.filter { $0.route == route.identity }
    }

    /// Returns the requests that the route of that name answered.
    public func requests(toRouteNamed name: String) -> [RecordedRequest] {
        requests.filter { $0.routeName == name }
    }

    /// Returns the requests with a method and a path, whichever route answered them.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    public func requests(_ method: HTTPRequest.Method, _ pattern: String) -> [RecordedRequest] {
        requests(matching: Route(method, pattern))
    }

    /// Returns the requests that meet the conditions of `route`, whichever route answered them. The route need not be
    /// one of the transport's.
    public func requests(matching route: Route) -> [RecordedRequest] {
        requests.filter { route.candidate(for: $0).mismatches.isEmpty }
    }

    /// Returns the number of requests to `route`.
    public func hitCount(of route: Route) -> Int {
        state.withLock { $0.hits[route.identity] ?? 0 }
    }

    /// The routes without a request, in their order.
    public var unusedRoutes: [Route] {
        state.withLock { state in state.table.routes.filter { state.hits[$0.identity] == nil } }
    }

    /// The requests that matched no route, each with its difference from the nearest one.
    public var unmatchedReports: [String] { state.withLock { $0.unmatchedReports } }

    /// Clears the history and the counts of routes, and resets sequences and scenarios. Routes and connections stay.
    public func reset() {
        state.withLock { $0.reset() }
    }

    /// Checks at the end of a test that its requests were as expected.
    ///
    /// - Throws: ``MockVerificationError`` if the number of a route's requests is not the expected one
    ///   (``Route/expected(_:)``), or if a request matched no route.
    public func verify() throws(MockVerificationError) {
        let failures = state.withLock { state in
            let unmet = state.table.routes.compactMap { route -> String? in
                let count = state.hits[route.identity] ?? 0
                guard let expectation = route.expectation, !expectation.range.contains(count) else { return nil }
                return "\(route.name) was expected \(expectation) and was requested \(count) times"
            }
            return unmet + state.unmatchedReports
        }
        if !failures.isEmpty { throw MockVerificationError(failures: failures) }
    }
}

/// The deviations from what a test's routes expect.
public struct MockVerificationError: Error, Sendable, CustomStringConvertible {
    /// The failures, one for each route or request.
    public let failures: [String]

    /// The failures, one below the other.
    public var description: String { failures.joined(separator: "\n") }
}
