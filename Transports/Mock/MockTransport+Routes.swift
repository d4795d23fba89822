public import HTTPTypes
internal import Synchronization

extension MockTransport {
    /// Adds a route that a closure answers. It precedes all earlier routes, so that a test overrides its set-up.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - handler: Answers the request.
    /// - Returns: The route, for the functions of the history.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method,
        _ pattern: String,
        handler: @escaping Route.Handler
    ) -> Route {
        add(Route(method, pattern, handler: handler))
    }

    /// Adds a route for any method that a closure answers. It precedes all earlier routes.
    ///
    /// - Parameters:
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - handler: Answers the request.
    /// - Returns: The route, for the functions of the history.
    @discardableResult
    public func on(_ pattern: String, handler: @escaping Route.Handler) -> Route {
        add(Route(pattern, handler: handler))
    }

    /// Adds a route with a reply. It precedes all earlier routes.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - reply: The reply.
    /// - Returns: The route, for the functions of the history.
    @discardableResult
    public func on(_ method: HTTPRequest.Method, _ pattern: String, reply: Reply) -> Route {
        add(Route(method, pattern).reply(reply))
    }

    /// Adds a route. It precedes all earlier routes.
    ///
    /// - Returns: The route, for the functions of the history.
    @discardableResult
    public func add(_ route: Route) -> Route {
        state.withLock { $0.table.prepend(route) }
        return route
    }

    /// The routes in the order in which they are tried.
    public var routes: [Route] { state.withLock { $0.table.routes } }

    /// Returns the state of `scenario` in this transport.
    public func state<State>(of scenario: Scenario<State>) -> State {
        state.withLock { $0.scenarios[scenario] }
    }

    /// Sets the state of `scenario` in this transport.
    public func move<State>(_ scenario: Scenario<State>, to newState: State) {
        state.withLock { $0.scenarios[scenario] = newState }
    }
}
