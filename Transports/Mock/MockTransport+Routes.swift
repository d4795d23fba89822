public import HTTPTypes
internal import Synchronization

extension MockTransport {
    /// Adds a route that a closure answers. It is asked before all routes that were there: what a test adds overrides
    /// what its set-up made.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - handler: Answers the request.
    /// - Returns: The route, to ask about later.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method,
        _ pattern: String,
        handler: @escaping Route.Handler
    ) -> Route {
        add(Route(method, pattern, handler: handler))
    }

    /// Adds a route for any method that a closure answers. It is asked before all routes that were there.
    ///
    /// - Parameters:
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - handler: Answers the request.
    /// - Returns: The route, to ask about later.
    @discardableResult
    public func on(_ pattern: String, handler: @escaping Route.Handler) -> Route {
        add(Route(pattern, handler: handler))
    }

    /// Adds a route with a reply. It is asked before all routes that were there.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``Route/init(_:_:)``.
    ///   - reply: The reply.
    /// - Returns: The route, to ask about later.
    @discardableResult
    public func on(_ method: HTTPRequest.Method, _ pattern: String, reply: Reply) -> Route {
        add(Route(method, pattern).reply(reply))
    }

    /// Adds a route. It is asked before all routes that were there.
    ///
    /// - Returns: The route, to ask about later.
    @discardableResult
    public func add(_ route: Route) -> Route {
        state.withLock { $0.table.prepend(route) }
        return route
    }

    /// The routes, in the order in which they are asked.
    public var routes: [Route] { state.withLock { $0.table.routes } }

    /// The state that `scenario` is in, in this transport.
    public func state<State>(of scenario: Scenario<State>) -> State {
        state.withLock { $0.scenarios[scenario] }
    }

    /// Moves `scenario`, in this transport.
    public func move<State>(_ scenario: Scenario<State>, to newState: State) {
        state.withLock { $0.scenarios[scenario] = newState }
    }
}
